import type { z } from 'zod'
import type { createdPurchaseIntent } from '../../../platform/api/purchases.ts'
import { crashPoint } from '../../../core/crash.ts'
import { notFound } from '../../../core/errors.ts'
import { carryOutTogether } from '../../../core/group-commit.ts'
import { isTemporary } from '../../../db/errors.ts'
import { storedTogether } from '../../../platform/http/idempotency.ts'
import type { Call } from '../../../db/statements.ts'
import { organizationTransaction } from '../../../db/organization-transaction.ts'
import type { Offer } from '../../../offers/listings/offer.ts'
import { reservationError } from '../reservation-error.ts'
import { judgeOrders } from './judge-orders.ts'
import { isByVoucher, type PurchaseRequest, type Prepared } from './purchase-request.ts'
import { readFacts } from './read-facts.ts'
import { answerOf, type Sale, saleOf } from './sale.ts'
import { signVouchers } from './sign-vouchers.ts'
import { salesCalls } from './write-sales.ts'

/** `alone`: nothing was decided; it is to be bought in a transaction of its own. */
export type Outcome =
  | { is: 'sold'; answer: z.output<typeof createdPurchaseIntent> }
  | { is: 'found'; id: string; isOwn: boolean }
  | { is: 'alone' }

type Request = { offer: Offer; order: PurchaseRequest }
type Signed = Request & { prepared: Prepared }

/** More would keep the listing locked for longer than a buyer should wait. */
const MOST_TOGETHER = 100
/** At most so many wait. A further one would wait longer than a few seconds, and is refused instead. */
const MOST_WAITING = 2_000

const together = { most: MOST_TOGETHER, waiting: MOST_WAITING, isShared: isTemporary }

/**
 * Reserves units of a listing, together with the orders that came while the batch before was written: one transaction
 * decides and writes them all, in the order in which they came, and stores their idempotent results. What is free is
 * confirmed and its mints are requested; a voucher is issued. A process that dies before the transaction has ended has
 * promised nobody anything.
 */
export async function reserveTogether(offer: Offer, order: PurchaseRequest): Promise<Outcome> {
  try {
    // Vouchers are signed while the batch before is written.
    const prepared = isByVoucher(order)
      ? await carryOutTogether<Request, Prepared>(
          { key: `vouchers ${offer.id}`, work: signBatch, ...together },
          { offer, order },
        )
      : null
    if (prepared) crashPoint('voucher_signed')
    const verdict = await carryOutTogether<Signed, Outcome | { is: 'refused'; error: unknown }>(
      { key: `purchases ${offer.id}`, work: reserveBatch, ...together },
      { offer, order, prepared },
    )
    if (verdict.is !== 'refused') return verdict
    throw verdict.error
  } catch (error) {
    throw await reservationError(order.ctx, offer, error)
  }
}

const signBatch = (requests: readonly Request[]): Promise<Prepared[]> => {
  const orders = requests.map(({ order }) => order)
  return signVouchers(requests.at(-1)!.offer, orders, orders[0]!.ctx.now())
}

async function reserveBatch(requests: readonly Signed[]): Promise<(Outcome | { is: 'refused'; error: unknown })[]> {
  const { offer } = requests.at(-1)!
  const orders = requests.map((request) => request.order)
  const prepared = requests.map((request) => request.prepared)
  const now = orders[0]!.ctx.now()
  return organizationTransaction(offer.organizationId, {}, async (run, last) => {
    const facts = await readFacts(run, offer, orders, now)
    if (!facts) throw notFound()
    const sales: Sale[] = []
    const results: Call[] = []
    const outcomes = judgeOrders(facts, orders, prepared).map((verdict, at) => {
      if (verdict.is !== 'accepted') return verdict
      const sale = saleOf(facts, orders[at]!, verdict.sale, now)
      const answer = answerOf(facts, sale)
      const storing = sale.order.ctx.storingResult?.(answer)
      if (storing) results.push(storing)
      sales.push(sale)
      return { is: 'sold' as const, answer }
    })
    if (sales.length > 0) await last(...salesCalls(facts, sales, now), ...storedTogether(results))
    return outcomes
  })
}
