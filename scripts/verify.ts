// npm run verify: compares stock, payments and chain with each other and prints where they disagree. Without DATABASE_URL it reads
// the database of the sandbox that `npm run up` started.
import fs from 'node:fs'
import path from 'node:path'
import { readOrCreateSecrets } from './launcher/secrets.ts'

if (!process.env.DATABASE_URL) useSandbox(path.resolve(import.meta.dirname, '..', process.env.DATA_DIR || '.data'))
// These modules read the settings when they are imported, so they are imported after the settings were made.
const { verifyRecords } = await import('../lib/data/reconciliation/verify-records.ts')
const { workerContext } = await import('../lib/platform/auth/authenticate.ts')
const { disconnect } = await import('../lib/db/client.ts')

const findings = await verifyRecords(workerContext('verify'))
for (const { check, subject, detail } of findings) console.log(`DISAGREES  ${check}\n           ${subject}: ${detail}`)
console.log(
  findings.length === 0
    ? 'Stock, money and chain agree.'
    : `${findings.length === 1 ? 'One thing disagrees' : `${findings.length} things disagree`}.`,
)
await disconnect()
process.exit(findings.length === 0 ? 0 : 1)

function useSandbox(dataDir: string): void {
  // Both files exist exactly while a sandbox runs.
  if (!['processes.json', 'up.json'].every((name) => fs.existsSync(path.join(dataDir, name)))) {
    console.error('No sandbox is running: start it with npm run up, or set DATABASE_URL and SERVER_KEY.')
    process.exit(1)
  }
  process.env.DATABASE_URL = (
    JSON.parse(fs.readFileSync(path.join(dataDir, 'up.json'), 'utf8')) as { database_url: string }
  ).database_url
  process.env.SERVER_KEY ||= readOrCreateSecrets(dataDir).SERVER_KEY
}
