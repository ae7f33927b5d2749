// npm run migrate: applies the missing migrations as the owner of the database (MIGRATE_DATABASE_URL), and creates or
// updates the logins of web and worker (DATABASE_URL).
import { env } from '../lib/core/env.ts'
import { commandFailure } from '../lib/db/errors.ts'
import { installLogins } from '../lib/db/install-logins.ts'
import { credentialsOf } from '../lib/db/logins.ts'
import { migrate } from '../lib/db/migrate.ts'

if (!env.MIGRATE_DATABASE_URL) {
  console.error(`Set MIGRATE_DATABASE_URL to the login that owns the tables, or that is to own them, and may create roles.
DATABASE_URL is for web and worker: it names a user that owns nothing, for whom this command makes three logins.
If DATABASE_URL has been the owner's so far: move it to MIGRATE_DATABASE_URL, and give DATABASE_URL a new user name and a
new password, such as postgresql://shop:<password>@<host>/<database>. docs/database.md explains it.`)
  process.exit(1)
}
if (!env.DATABASE_URL) {
  console.error('Set DATABASE_URL too: npm run migrate makes the logins of web and worker from its user and password.')
  process.exit(1)
}
try {
  credentialsOf(env.DATABASE_URL) // before anything is changed
  const applied = await migrate(env.MIGRATE_DATABASE_URL, undefined, { say: (line) => console.log(line) })
  const logins = await installLogins(env.MIGRATE_DATABASE_URL, env.DATABASE_URL)
  const many = applied.length === 1 ? '1 migration' : `${applied.length} migrations`
  console.log(applied.length ? `${many} applied, the last is ${applied.at(-1)}` : 'up to date already')
  for (const line of logins) console.log(line)
} catch (error) {
  console.error(commandFailure(error))
  process.exit(1)
}
process.exit(0)
