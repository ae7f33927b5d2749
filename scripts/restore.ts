// npm run restore: puts a backup back, and what to do after a database was put back by other means (docs/restore.md).
//   -- --from <file>        restores into an empty database, then does what --check does, and verifies; --key <file>
//                           holds the private key
//   -- --check              compares the books with chains and card accounts; what is behind waits until it has caught
//                           up. Request numbers jump
//   -- --settle <item>      none of the item's open promises was kept by deliveries that the books can't explain:
//                           deliver them
//   -- --mailbox <transfer> --email <mailbox>  a token whose mailbox was lost was for this one: offer it
//   -- --promise <collection>  no voucher of the collection is missing in the books: promise its units again at once;
//                              all: of every collection
//   -- --sent-by-hand <operator>  nothing was lost: transactions that the books don't know were sent with this
//                                 operator's key by hand
import { parseArgs } from 'node:util'
import { env } from '../lib/core/env.ts'
import { email } from '../lib/core/wire.ts'
import { disconnect } from '../lib/db/client.ts'
import { commandFailure } from '../lib/db/errors.ts'
import { measureClock } from '../lib/db/measure-clock.ts'
import { nameMailbox } from '../lib/onchain/escrows/name-mailbox.ts'
import { endByHand } from '../lib/onchain/recovery/end-by-hand.ts'
import { releaseAllPromises, releasePromises } from '../lib/onchain/recovery/release-promises.ts'
import { settleItem } from '../lib/onchain/recovery/settle-item.ts'
import { noticeDatabaseServer } from '../lib/orders/notice-database-server.ts'
import { systemContext } from '../lib/platform/auth/authenticate.ts'
import { compareAccounts, compareChains, namePerks } from './restore/compare.ts'
import { restoreFrom } from './restore/from.ts'

const { values } = parseArgs({
  options: {
    from: { type: 'string' },
    key: { type: 'string' },
    'without-server-key': { type: 'boolean', default: false },
    check: { type: 'boolean' },
    settle: { type: 'string' },
    promise: { type: 'string' },
    'sent-by-hand': { type: 'string' },
    mailbox: { type: 'string' },
    email: { type: 'string' },
  },
})
if (!env.DATABASE_URL)
  fail('Set DATABASE_URL to the database of the installation, and the other settings as for the worker.')
const worker = systemContext('restore')

let agrees = true
try {
  // A backup is restored while nobody is connected; the clock is measured afterwards.
  if (!values.from) await measureClock()
  if (values.from)
    agrees = await restoreFrom(worker, values.from, {
      keyFile: values.key,
      withoutServerKey: values['without-server-key'],
    })
  else if (values.check) {
    await noticeDatabaseServer(worker, { always: true })
    await compareChains(worker)
    await compareAccounts(worker)
    await namePerks(worker)
  } else if (values.settle) await settle(values.settle)
  else if (values.promise) await promise(values.promise)
  else if (values['sent-by-hand']) await sentByHand(values['sent-by-hand'])
  else if (values.mailbox) await offer(values.mailbox, values.email)
  else
    fail(
      'Say what to do: --from <file>, --check, --settle <item id>, --promise <collection id>, --sent-by-hand <operator> or --mailbox <transfer id>. docs/restore.md explains them.',
    )
} catch (error) {
  fail(commandFailure(error))
}
await disconnect()
process.exit(agrees ? 0 : 1)

function fail(message: string): never {
  console.error(message)
  process.exit(1)
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
  if (collectionId === 'all') await releaseAllPromises(worker)
  else await releasePromises(worker, collectionId)
  console.log(
    collectionId === 'all' ? 'All units are promised again.' : 'The units of this collection are promised again.',
  )
}

async function sentByHand(operator: string): Promise<void> {
  const count = await endByHand(worker, operator)
  console.log(count > 0 ? 'What this operator mints goes on.' : 'Nothing waits for the transactions of this operator.')
}

async function offer(transferId: string, named: string | undefined): Promise<void> {
  const mailbox = email.safeParse(named)
  if (!mailbox.success) throw new Error('Name the mailbox that the token was sent to: --email <mailbox>.')
  await nameMailbox(worker, transferId, mailbox.data)
  console.log('The worker offers the token to this mailbox.')
}
