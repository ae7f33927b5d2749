// npm run rotate-signer: gives the signer role of every collection to the signer of the first key in VOUCHER_KEY
// (docs/keys.md). With --withdraw it takes the role of the earlier signers away where none of their vouchers can be
// valid. The worker sends the transactions.
import { parseArgs } from 'node:util'
import { rotateSigner } from '../lib/catalog/collections/rotate-signer.ts'
import { env } from '../lib/core/env.ts'
import { voucherKeys } from '../lib/core/server-keys.ts'
import { disconnect } from '../lib/db/client.ts'
import { commandFailure } from '../lib/db/errors.ts'
import { measureClock } from '../lib/db/measure-clock.ts'
import { systemContext } from '../lib/platform/auth/authenticate.ts'

const { values } = parseArgs({ options: { withdraw: { type: 'boolean', default: false } } })

function fail(message: string): never {
  console.error(message)
  process.exit(1)
}

if (!env.DATABASE_URL)
  fail('Set DATABASE_URL to the database of the installation, and the other settings as for the worker.')
if (voucherKeys().length < 2)
  fail(
    'VOUCHER_KEY must list two keys, comma-separated: the new one, then the one that collections have (docs/keys.md).',
  )

await measureClock().catch((error: unknown) => fail(commandFailure(error)))
const { requested, underWay, byOwner, waiting, unrotated } = await rotateSigner(systemContext('rotation'), {
  withdraw: values.withdraw,
}).catch((error: unknown) => fail(commandFailure(error)))
console.log(`${requested.length} transactions were opened, ${underWay.length} are under way; the worker sends them.`)
for (const { id, contract, owner, signer } of byOwner)
  console.log(
    `Collection ${id}: its contract ${contract} belongs to ${owner ?? 'nobody'}, who has to call setRoles(${signer}, ${values.withdraw ? 0 : 2}). Run this again afterwards.`,
  )
for (const { id, until } of waiting)
  console.log(
    `Collection ${id}: vouchers of its earlier signer may be valid until ${until.toISOString()}, or are still open.`,
  )
for (const id of unrotated)
  console.log(`Collection ${id}: an earlier signer signs its vouchers. Run this without --withdraw.`)
if (values.withdraw && [requested, underWay, byOwner, waiting, unrotated].every(({ length }) => length === 0))
  console.log('Nothing needs an earlier key any more: list the first one alone in VOUCHER_KEY.')
await disconnect()
process.exit(0)
