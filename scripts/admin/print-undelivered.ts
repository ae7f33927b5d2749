import type { SystemContext } from '../../lib/platform/auth/context.ts'
import type { Place } from '../../lib/platform/auth/suspended.ts'
import { listUndelivered, sumsOf } from '../../lib/data/abuse/undelivered.ts'

/** Prints what was paid and isn't delivered: how many, sums by currency in minor units, and each purchase. */
export async function printUndelivered(worker: SystemContext, place: Place): Promise<void> {
  const purchases = await listUndelivered(worker, place)
  const { count, sums } = sumsOf(purchases)
  if (count === 0) return console.log('Everything that was paid is delivered or refunded.')
  console.log(`${count} paid ${count === 1 ? 'purchase is' : 'purchases are'} not delivered:`)
  for (const sum of sums) console.log(`  ${sum.total} ${sum.currency} (minor units) in ${sum.count}`)
  for (const { id, total, currency, status, fulfillmentStatus, refundable } of purchases)
    console.log(`  ${id}  ${total} ${currency}  ${status} ${fulfillmentStatus}${refundable ? '  can be refunded' : ''}`)
}
