// npm run restore: what to do after the database was put back from a backup (docs/restore.md).
//   -- --check              compares the books with chains and card accounts; what is behind waits until it has caught up
//   -- --settle <item>      none of the item's open promises was kept by deliveries that the books can't explain: deliver them
//   -- --promise <collection>  no voucher of the collection is missing in the books: promise its units again at once
import { parseArgs } from 'node:util'
import { env } from '../lib/core/env.ts'
import { disconnect } from '../lib/db/client.ts'
import { checkAccounts } from '../lib/selling/payments/list-accounts.ts'
import { compareLanes } from '../lib/onchain/recovery/compare-lanes.ts'
import { releasePromises } from '../lib/onchain/recovery/release-promises.ts'
import { settleItem } from '../lib/onchain/recovery/settle-item.ts'
import { workerContext } from '../lib/platform/auth/authenticate.ts'
import { ChainUnavailable } from '../lib/ports/chain/chain.ts'

const { values } = parseArgs({
  options: { check: { type: 'boolean' }, settle: { type: 'string' }, promise: { type: 'string' } },
})
if (!env.DATABASE_URL)
  fail('Set DATABASE_URL to the database of the installation, and the other settings as for the worker.')
const worker = workerContext('restore')

if (values.check) {
  await check()
  await checkCards()
} else if (values.settle) await settle(values.settle)
else if (values.promise) await promise(values.promise)
else fail('Say what to do: --check, --settle <item id> or --promise <collection id>. docs/restore.md explains them.')
await disconnect()
process.exit(0)

function fail(message: string): never {
  console.error(message)
  process.exit(1)
}

async function check(): Promise<void> {
  for (const chain of worker.ports.chains.values()) {
    const { name } = chain.network
    try {
      const behind = await compareLanes(worker, chain)
      for (const operator of worker.ports.keys.operators)
        console.log(
          behind.includes(operator)
            ? `${name}, operator ${operator}: the books are behind the chain. The worker lets them catch up.`
            : `${name}, operator ${operator}: the books know all of its transactions.`,
        )
    } catch (error) {
      if (!(error instanceof ChainUnavailable)) throw error
      fail(`${name}: no node answers, so nothing can be said of it. Start nothing before this works.`)
    }
  }
}

async function checkCards(): Promise<void> {
  for (const { accountId, found, recovering, failure } of await checkAccounts(worker)) {
    if (found.length > 0)
      console.log(`Card account ${accountId}: ${found.length} payments were missing and are entered.`)
    if (failure !== null) console.log(`Card account ${accountId} could not be read completely: ${failure}`)
    console.log(
      recovering
        ? `Card account ${accountId}: the books are behind. The worker lets them catch up.`
        : `Card account ${accountId}: the books know all of its payments.`,
    )
  }
}

async function settle(itemId: string): Promise<void> {
  const count = await settleItem(worker, itemId)
  console.log(
    count > 0
      ? `Settled: ${count} deliveries. What waits for this item is sent now.`
      : 'Nothing of this item is unclear.',
  )
}

async function promise(collectionId: string): Promise<void> {
  await releasePromises(worker, collectionId)
  console.log('The units of this collection are promised again.')
}
