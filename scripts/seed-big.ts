// npm run seed:big [-- --scale 0.01]: fills a migrated database with an organization of a million items, and 300 small
// ones. With MIGRATE_DATABASE_URL that one, else the sandbox that `npm run up` started. Web and worker should be
// stopped meanwhile: they would wait. Its last line of output is JSON.
import fs from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { readOrCreateSecrets } from './launcher/secrets.ts'

const { values } = parseArgs({ options: { scale: { type: 'string', default: '1' } } })
const scale = Number(values.scale)
if (!(scale > 0 && scale <= 10)) {
  console.error(`${values.scale} is no scale: it has to be above 0 and at most 10.`)
  process.exit(1)
}
if (!process.env.MIGRATE_DATABASE_URL)
  useSandbox(path.resolve(import.meta.dirname, '..', process.env.DATA_DIR || '.data'))
// It reads the settings when it is imported, so it is imported after they were made.
const { fillDatabase } = await import('./seed-big/fill-database.ts')
const seeded = await fillDatabase(process.env.MIGRATE_DATABASE_URL!, { scale, say: (line) => console.error(line) })
console.log(JSON.stringify(seeded))
process.exit(0)

function useSandbox(dataDir: string): void {
  const file = path.join(dataDir, 'up.json')
  if (!fs.existsSync(file)) {
    console.error(
      'No sandbox is running: start it with npm run up, or set MIGRATE_DATABASE_URL, DATABASE_URL and SERVER_KEY.',
    )
    process.exit(1)
  }
  const stack = JSON.parse(fs.readFileSync(file, 'utf8')) as { database_url: string; runtime_database_url: string }
  process.env.MIGRATE_DATABASE_URL = stack.database_url
  process.env.DATABASE_URL = stack.runtime_database_url
  process.env.SERVER_KEY ||= readOrCreateSecrets(dataDir).SERVER_KEY
}
