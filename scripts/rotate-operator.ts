// npm run rotate-operator -- --from 0x… --to 0x…: has one operator take over the minter role of another
// (docs/operators.md). With --withdraw it takes the roles of the first away afterwards, and says when its key isn't
// needed any more. The worker sends the transactions.
import { parseArgs } from 'node:util'
import { getAddress, isAddress } from 'viem'
import { rotateMinter } from '../lib/catalog/collections/rotate-minter.ts'
import { env } from '../lib/core/env.ts'
import { countOperatorUses } from '../lib/data/keys/count-operator-uses.ts'
import { disconnect } from '../lib/db/client.ts'
import { commandFailure } from '../lib/db/errors.ts'
import { measureClock } from '../lib/db/measure-clock.ts'
import { systemContext } from '../lib/platform/auth/authenticate.ts'

const { values } = parseArgs({
  options: { from: { type: 'string' }, to: { type: 'string' }, withdraw: { type: 'boolean', default: false } },
})

function fail(message: string): never {
  console.error(message)
  process.exit(1)
}

const addressOf = (name: 'from' | 'to') => {
  const value = values[name]
  if (!value || !isAddress(value)) fail(`--${name} must be the address of an operator.`)
  return getAddress(value)
}

if (!env.DATABASE_URL)
  fail('Set DATABASE_URL to the database of the installation, and RPC_URLS and OPERATOR_KEYS as for the worker.')
const [from, to] = [addressOf('from'), addressOf('to')]
const worker = systemContext('rotation')
const { operators } = worker.ports.keys
if (from === to) fail('--from and --to are the same operator.')
if (!operators.includes(to)) fail(`The key of ${to} is not among OPERATOR_KEYS.`)
if (!operators.includes(from))
  fail(`The key of ${from} is not among OPERATOR_KEYS. Only the owner of a contract can change its roles then.`)

await measureClock().catch((error: unknown) => fail(commandFailure(error)))
const { requested, underWay, byOwner, waiting } = await rotateMinter(worker, {
  from,
  to,
  withdraw: values.withdraw,
}).catch((error: unknown) => fail(commandFailure(error)))
console.log(`${requested.length} transactions were opened, ${underWay.length} are under way; the worker sends them.`)
for (const { id, contract, owner } of byOwner)
  console.log(
    `Collection ${id}: its contract ${contract} belongs to ${owner ?? 'nobody'}, who has to call setRoles(${values.withdraw ? `${from}, 0` : `${to}, 1`}). Run this again afterwards.`,
  )
for (const id of waiting)
  console.log(`Collection ${id}: what ${from} has signed for it can still be mined. Run this again later.`)
if (values.withdraw) await showUses(requested.length + underWay.length + byOwner.length + waiting.length)
await disconnect()
process.exit(0)

/**
 * Shows the reasons to keep the key of `from` among the settings. `roles`: how many contracts still give it the minter
 * role.
 */
async function showUses(roles: number): Promise<void> {
  const { minterOf, transactions, tokens, ownerOf } = await countOperatorUses(worker, from)
  const uses = [
    [roles, 'contracts give it the minter role'],
    [minterOf, 'collections are minted by it: run this without --withdraw'],
    [transactions, 'transactions wait for it or are in flight'],
    [tokens, 'tokens are in its custody: deliver them or send them to another operator'],
  ] as const
  const needed = uses.filter(([count]) => count > 0)
  console.log(
    needed.length === 0
      ? `Nothing needs the key of ${from} any more: take it out of OPERATOR_KEYS.`
      : `The key of ${from} has to stay in OPERATOR_KEYS:`,
  )
  for (const [count, what] of needed) console.log(`  ${count} ${what}`)
  if (ownerOf > 0) console.log(`It owns ${ownerOf} contracts: keep it in a safe place (docs/operators.md).`)
}
