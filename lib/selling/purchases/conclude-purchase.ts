import type { PurchaseIntent } from '../../../generated/prisma/client.ts'
import { raiseAlarm } from '../../records/alarms/raise-alarm.ts'
import type { Context } from '../../platform/auth/context.ts'
import { requestRefund } from '../payments/request-refund.ts'
import { releaseHolds } from '../../stock/advance-hold.ts'
import { advancePurchase } from './advance-purchase.ts'
import { partsOf } from './delivery-parts.ts'
import { returnPurchase } from './return-purchase.ts'

/**
 * Ends a purchase that can't be delivered in full, once none of its deliveries is open any more: its units return, and
 * its payment is refunded, once. A disputed one waits for a person. Safe to repeat.
 */
export async function concludePurchase(tx: Context, intent: PurchaseIntent): Promise<void> {
  const { live, delivered, ranOut } = await partsOf(tx, intent.id)
  if (live > 0 || intent.status === 'UNRESOLVED' || intent.status === 'PENDING') return
  if (delivered.size > 0) return concludeInPart(tx, intent)
  await returnPurchase(tx, intent)
  if (intent.status === 'REFUNDED') return
  if (intent.provider === 'CARD_PROVIDER') return requestRefund(tx, intent.id)
  if (intent.status === 'CONFIRMED')
    await advancePurchase(tx, intent, { status: ranOut ? 'EXPIRED' : 'CANCELLED' }, {}, intent.failure ?? undefined)
}

/** Some units are delivered, and there is no partial refund. */
async function concludeInPart(tx: Context, intent: PurchaseIntent): Promise<void> {
  await releaseHolds(tx, { type: 'PURCHASE', id: intent.id })
  if (intent.status !== 'CONFIRMED') return
  if (intent.provider !== 'CARD_PROVIDER') {
    if (intent.fulfillmentStatus === 'EXCEPTION')
      await advancePurchase(
        tx,
        intent,
        { fulfillmentStatus: 'COMPLETED' },
        { completedAt: tx.now() },
        'Part of it arrived.',
      )
    return
  }
  await advancePurchase(tx, intent, { status: 'UNRESOLVED' }, {}, 'Part of it arrived, and part of it can’t.')
  await raiseAlarm(
    tx,
    'purchase_unresolved',
    intent.id,
    `Purchase ${intent.id} was delivered only in part: ${intent.failure ?? 'its rest was taken back.'} Refund it, or agree with the buyer.`,
  )
}
