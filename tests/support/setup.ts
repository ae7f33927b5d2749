import { flushCompileCache } from 'node:module'
import { afterAll, vi } from 'vitest'
import { endFile } from './file-end.ts'
import { runtimeUrl } from './prepare-database.ts'
import { giveUpDatabase, takeDatabase } from './ready-databases.ts'
import { verifyFile } from './verify-file.ts'

// Each test file works in a database of its own, a copy of the migrated one. Settings are set before lib/ is loaded.
const before = { ...process.env }
const template = process.env.TEST_DATABASE_TEMPLATE!
const name = await takeDatabase(template)
const url = new URL(template)
url.pathname = `/${name}`
Object.assign(process.env, {
  NODE_ENV: 'test',
  DATABASE_URL: runtimeUrl(url.toString()),
  MIGRATE_DATABASE_URL: url.toString(),
  DATABASE_POOL: '8',
  SERVER_KEY: 'a1'.repeat(32),
  LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent',
  PAYMENT_TOKENS:
    process.env.PAYMENT_TOKENS ?? '31337=0x5FbDB2315678afecb367f032d93F642f64180aa3:USDC:6:USD Coin (test)',
  RATE_LIMIT_PUBLIC_READS: '0',
  RATE_LIMIT_PUBLIC_WRITES: '0',
  RATE_LIMIT_CARD_WEBHOOKS: '0',
  RATE_LIMIT_ADMIN_FAILURES: '0',
  RATE_LIMIT_ADMIN: '0',
})

// pg wants one statement after another on a connection. It says so once in a process.
const crowded: string[] = []
const onWarning = ({ message }: Error) => {
  if (message.includes('client is already executing a query')) crowded.push(message)
}
process.on('warning', onWarning)

afterAll(() => {
  process.off('warning', onWarning)
  if (crowded.length > 0) throw new Error(crowded[0])
})

// Files share a process: settings and modules are reset, so that no file sees another's.
afterAll(async () => {
  const { disconnect } = await import('../../lib/db/client.ts')
  const ended = endFile()
  await ended.catch(() => undefined)
  const verified = verifyFile(url.toString())
  await verified.catch(() => undefined) // what both say is thrown when all is cleaned up
  await disconnect()
  // What goes on of this file, such as a test that took too long, must not connect the next file to this file's
  // database.
  delete (globalThis as { vitrine?: unknown }).vitrine
  await giveUpDatabase(template, name)
  for (const setting of Object.keys(process.env)) if (!(setting in before)) delete process.env[setting]
  Object.assign(process.env, before)
  vi.resetModules()
  flushCompileCache() // the process is killed in the end, and would lose it
  await ended
  await verified
})

// Last, so that what this file itself enters at the end isn't noted.
await import('./note-reach.ts')
