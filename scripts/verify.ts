// npm run verify: compares stock, payments and chain with each other, prints where they disagree and what was compared.
// Without DATABASE_URL it reads the database and the chain of the sandbox that `npm run up` started.
import fs from 'node:fs'
import path from 'node:path'
import { readOrCreateSecrets } from './launcher/secrets.ts'

type Stack = { runtime_database_url: string; chain_id: number; rpc_url: string }

if (!process.env.DATABASE_URL && !process.env.DATABASE_URL_FILE)
  useSandbox(path.resolve(import.meta.dirname, '..', process.env.DATA_DIR || '.data'))
// These modules read the settings when they are imported, so they are imported after the settings were made.
const { systemContext } = await import('../lib/platform/auth/authenticate.ts')
const { disconnect } = await import('../lib/db/client.ts')
const { commandFailure } = await import('../lib/db/errors.ts')
const { printVerification } = await import('./restore/verification.ts')

const agrees = await printVerification(systemContext('verify')).catch((error: unknown) => {
  console.error(commandFailure(error))
  return false
})
await disconnect()
process.exit(agrees ? 0 : 1)

function useSandbox(dataDir: string): void {
  // Both files exist exactly while a sandbox runs.
  if (!['processes.json', 'up.json'].every((name) => fs.existsSync(path.join(dataDir, name)))) {
    console.error('No sandbox is running: start it with npm run up, or set DATABASE_URL and SERVER_KEY.')
    process.exit(1)
  }
  const stack = JSON.parse(fs.readFileSync(path.join(dataDir, 'up.json'), 'utf8')) as Stack
  process.env.DATABASE_URL = stack.runtime_database_url
  process.env.RPC_URLS ||= `${stack.chain_id}=${stack.rpc_url}`
  process.env.SERVER_KEY ||= readOrCreateSecrets(dataDir).SERVER_KEY
}
