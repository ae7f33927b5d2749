import { withoutIdempotentResult, type Context, inTransaction } from '../../platform/auth/context.ts'
import { notFound } from '../../core/errors.ts'
import { serializeByKey } from '../../core/serialize-by-key.ts'
import { runIn, writeIn } from '../../db/organization-transaction.ts'
import { findOffer, type FoundOffer } from '../../offers/listings/offer.ts'
import { assertSelling } from '../../offers/listings/units.ts'
import { openPayment } from '../payments/open-payment.ts'
import { judgeOrders } from './batches/judge-orders.ts'
import type { PurchaseRequest } from './batches/purchase-request.ts'
import { readFactsOfOne } from './batches/read-facts.ts'
import { type Sale, saleOf } from './batches/sale.ts'
import { salesCalls } from './batches/write-sales.ts'
import type { Reserved } from './find-earlier.ts'
import { fulfilPurchase } from './fulfil-purchase.ts'
import { isUnpaid } from './open-purchase-limits.ts'
import { assertProved } from './proof.ts'
import { readClient } from './read-clients.ts'
import { reservationError } from './reservation-error.ts'

/** How many of a listing's buyers this process serves at once; the others wait in memory, not for a database lock. */
const CONCURRENT_BUYERS = 4
let nextQueue = 0

/**
 * Reserves units of a listing in a transaction of its own, as a batch of one, and opens its payment or begins its
 * delivery there. Refuses what it can without a lock, so that a flood is answered fast. The rest is served one after
 * another; once nothing is left, a turn costs one read.
 */
export async function reserveAlone(anyone: Context, offer: FoundOffer, order: PurchaseRequest): Promise<Reserved> {
  const { ctx, terms, proof } = order
  assertProved(ctx, offer, await readClient(ctx, offer), proof)
  return serializeByKey(`${offer.id} ${nextQueue++ % CONCURRENT_BUYERS}`, async () => {
    assertSelling(await findOffer(anyone, offer.id), terms.quantity, ctx.now())
    try {
      return await inTransaction(withoutIdempotentResult(ctx), async (tx) => {
        const reserved = await reserveOne(tx, offer.id, order)
        if (reserved.is === 'found') return reserved
        const { intent } = reserved.sale
        if (terms.provider === 'CARD_PROVIDER') await openPayment(tx, intent)
        else if (!isUnpaid(order)) await fulfilPurchase(tx, intent)
        return { id: intent.id, isOwn: true }
      })
    } catch (error) {
      throw await reservationError(ctx, offer, error)
    }
  })
}

/** Reserves units for one order in an open transaction, by what decides and writes those of a batch. */
export async function reserveOne(
  tx: Context,
  listingId: string,
  { ctx: _, ...order }: PurchaseRequest,
): Promise<({ is: 'found' } & Reserved) | { is: 'sold'; sale: Sale }> {
  const mine = { ...order, ctx: tx }
  const facts = await readFactsOfOne(runIn(tx), listingId, mine, tx.now())
  if (!facts) throw notFound()
  const [verdict] = judgeOrders(facts, [mine], [null])
  if (verdict!.is === 'found') return verdict!
  if (verdict!.is === 'refused') throw verdict!.error
  const sale = saleOf(facts, mine, verdict!.sale, tx.now())
  await writeIn(tx, ...salesCalls(facts, [sale], tx.now()))
  return { is: 'sold', sale }
}
