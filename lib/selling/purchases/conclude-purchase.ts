import type { PurchaseIntent } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { requestRefund } from '../payments/request-refund.ts'
import { releaseHolds } from '../../stock/advance-hold.ts'
import { advancePurchase } from './advance-purchase.ts'
import { partsOf } from './delivery-parts.ts'
import { priceOfUnits, unitsRefunded } from './refunded-part.ts'
import { returnPurchase } from './return-purchase.ts'
import { waitsForRecovery } from './waits-for-recovery.ts'

/**
 * Ends a purchase that can't be delivered in full, once none of its deliveries is open any more: its units return, and
 * its payment is refunded, once. Of one that is delivered in part, the rest is refunded. A disputed one waits for a
 * person. While the books are behind the chain nothing is ended. Safe to repeat.
 */
export async function concludePurchase(tx: Context, intent: PurchaseIntent): Promise<void> {
  if (await waitsForRecovery(tx, intent)) return
  const { live, delivered, ranOut } = await partsOf(tx, intent.id)
  if (live > 0 || intent.status === 'UNRESOLVED' || intent.status === 'PENDING') return
  if (delivered.size > 0) return concludeInPart(tx, intent, delivered)
  await returnPurchase(tx, intent)
  if (intent.status === 'REFUNDED') return
  if (intent.provider === 'CARD_PROVIDER') return requestRefund(tx, intent.id)
  if (intent.status === 'CONFIRMED')
    await advancePurchase(tx, intent, { status: ranOut ? 'EXPIRED' : 'CANCELLED' }, {}, intent.failure ?? undefined)
}

/**
 * Some units are delivered and stay with the buyer; those that can't be are refunded. The purchase stays confirmed, and
 * counts as delivered.
 */
async function concludeInPart(tx: Context, intent: PurchaseIntent, delivered: ReadonlySet<string>): Promise<void> {
  await releaseHolds(tx, { type: 'PURCHASE', id: intent.id })
  if (intent.status !== 'CONFIRMED' || intent.fulfillmentStatus !== 'EXCEPTION') return
  if (intent.provider !== 'CARD_PROVIDER') return completeInPart(tx, intent, 'Part of it arrived.')
  const units = await tx.db.purchaseUnit.findMany({ where: { intentId: intent.id } })
  const missing = units.reduce((sum, { itemId, quantity }) => (delivered.has(itemId) ? sum : sum + quantity), 0n)
  const unrefunded = missing - (await unitsRefunded(tx, intent))
  // A reorg took back more after a first refund of a part: this one follows when that one is done.
  if (unrefunded > 0n && (await isPartBeingRefunded(tx, intent))) return
  if (unrefunded > 0n) await requestRefund(tx, intent.id, priceOfUnits(intent, unrefunded))
  await completeInPart(
    tx,
    intent,
    `${intent.quantity - missing} of ${intent.quantity} units arrived. The others can’t.`,
  )
}

const completeInPart = async (tx: Context, intent: PurchaseIntent, detail: string): Promise<void> =>
  void (await advancePurchase(tx, intent, { fulfillmentStatus: 'COMPLETED' }, { completedAt: tx.now() }, detail))

const isPartBeingRefunded = async (tx: Context, { id: intentId }: PurchaseIntent): Promise<boolean> =>
  (await tx.db.payment.count({ where: { intentId, state: 'REFUNDING', refundMinor: { not: null } } })) > 0
