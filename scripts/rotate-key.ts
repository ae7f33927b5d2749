// npm run rotate-key: seals everything at rest with the first key in SERVER_KEY (docs/keys.md). It can be interrupted
// and repeated.
//   -- --status                   only says what needs another key
//   -- --voucher-key-file <path>  writes the VOUCHER_KEY that keeps voucher signers as they are when SERVER_KEY changes
import { parseArgs } from 'node:util'
import { env } from '../lib/core/env.ts'
import { currentKeyId } from '../lib/core/secrets.ts'
import { serverKeys } from '../lib/core/server-keys.ts'
import { countOldKeyUses, type OldKeyUse } from '../lib/data/keys/count-old-key-uses.ts'
import { findVoucherKey } from '../lib/data/keys/find-voucher-key.ts'
import { rotateServerKey } from '../lib/data/keys/rotate-server-key.ts'
import { disconnect } from '../lib/db/client.ts'
import { commandFailure } from '../lib/db/errors.ts'
import { measureClock } from '../lib/db/measure-clock.ts'
import { systemContext } from '../lib/platform/auth/authenticate.ts'
import type { SystemContext } from '../lib/platform/auth/context.ts'
import { writeNewFile } from './write-new-file.ts'

const USES = {
  SEALED: 'sealed values; npm run rotate-key seals them with the newest key',
  API_KEYS: 'API keys that were not used since; each moves on when it is used',
  OPEN_CLAIMS:
    'open claims; their links work while this key is listed, and sending one again after that makes a new link',
  OPEN_PINS: 'PINs that still work; they end within ten minutes',
  OPEN_PURCHASES: 'open purchases; their status pages and payments need this key',
  ENDED_PURCHASES: 'ended purchases; the status links in their receipts work while this key is listed',
} as const satisfies Record<OldKeyUse['kind'], string>

const { values } = parseArgs({
  options: { status: { type: 'boolean' }, 'voucher-key-file': { type: 'string' } },
})
if (!env.DATABASE_URL) {
  console.error('Set DATABASE_URL to the database of the installation, and the other settings as for the worker.')
  process.exit(1)
}
try {
  await measureClock()
  const worker = systemContext('keys')
  if (values['voucher-key-file']) await writeVoucherKey(worker, values['voucher-key-file'])
  else {
    if (!values.status) await rotate(worker)
    await printStatus(worker)
  }
} catch (error) {
  console.error(commandFailure(error))
  process.exitCode = 1
}
await disconnect()

async function rotate(worker: SystemContext): Promise<void> {
  console.log(`The newest key is ${currentKeyId()}.`)
  const { resealed, unreadable, named } = await rotateServerKey(worker, (column, done) =>
    console.log(`  ${column}: ${done} sealed`),
  )
  console.log(`${resealed} values were sealed with it; of ${named} links it was found out which key made them.`)
  if (unreadable > 0) {
    console.error(`${unreadable} values can’t be opened: they need a key that SERVER_KEY doesn’t list.`)
    process.exitCode = 1
  }
}

async function printStatus(worker: SystemContext): Promise<void> {
  const uses = await countOldKeyUses(worker)
  const others = serverKeys().slice(1)
  console.log(`SERVER_KEY lists ${[currentKeyId(), ...others.map(({ id }) => id)].join(', ')}.`)
  if (uses.length === 0) console.log('Nothing needs another key than the first.')
  for (const { kind, where, keyId, listed, count } of uses) {
    const key = keyId === null ? 'a key from before keys had ids' : `${keyId}${listed ? '' : ' (NOT LISTED)'}`
    console.log(`  ${key}: ${count} ${USES[kind]}${where ? ` (${where})` : ''}`)
  }
}

async function writeVoucherKey(worker: SystemContext, path: string): Promise<void> {
  if (env.VOUCHER_KEY) throw new Error('VOUCHER_KEY is set already: voucher signers don’t depend on SERVER_KEY.')
  const key = await findVoucherKey(worker)
  writeNewFile(path, `derived:${key.toString('hex')}\n`)
  console.log(`${path} has the key of the voucher signers. Set VOUCHER_KEY to what it says, for web and worker.`)
}
