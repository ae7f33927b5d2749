// npm run migrate: applies the missing migrations to the database of DATABASE_URL and creates the job queues.
import { env } from '../lib/core/env.ts'
import { migrate } from '../lib/db/migrate.ts'
import { installJobs } from '../lib/platform/jobs/install.ts'

if (!env.DATABASE_URL) {
  console.error('Set DATABASE_URL to the database to migrate.')
  process.exit(1)
}
const applied = await migrate(env.DATABASE_URL)
await installJobs(env.DATABASE_URL)
const many = applied.length === 1 ? '1 migration' : `${applied.length} migrations`
console.log(applied.length ? `${many} applied, the last is ${applied.at(-1)}` : 'up to date already')
process.exit(0)
