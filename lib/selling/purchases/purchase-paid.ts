import type { PurchaseIntent } from '../../../generated/prisma/client.ts'
import { resolveAlarm } from '../../records/alarms/raise-alarm.ts'
import type { Context } from '../../platform/auth/context.ts'
import { continuePurchase } from '../../platform/jobs/jobs.ts'
import { enqueue } from '../../platform/jobs/queue.ts'
import { isSuspendedUntilCommit } from '../../platform/auth/suspended.ts'
import { retakeUnits } from '../../offers/listings/units.ts'
import { requestRefund } from '../payments/request-refund.ts'
import { advancePurchase } from './advance-purchase.ts'
import { confirmPurchase } from './confirm-purchase.ts'
import { holdForPurchase } from './hold-for-purchase.ts'
import { lockPurchase } from './lock-purchase.ts'
import { returnPurchase } from './return-purchase.ts'

const TOO_LATE = 'It was paid after its time, and not enough was left.'
const SUSPENDED = 'When it was paid, this wasn’t offered any more.'
const LIMIT_REACHED = 'When it was paid, this buyer had as many as one buyer can have.'

/**
 * A purchase's payment has succeeded. In time: it is confirmed, and the job written here delivers it. After its end:
 * delivered when enough is left, else refunded at once. A buyer who has as many as one may have by now is refunded as
 * well, since others may have paid for the same buyer meanwhile, and so is what was paid while it was suspended.
 * Exactly one of delivery and refund follows. One whose payment was unknown still has its units. A repeat changes
 * nothing.
 */
export async function purchasePaid(tx: Context, intentId: string, _payment: { paymentId: string }): Promise<void> {
  const intent = await lockPurchase(tx, intentId)
  if (intent.status === 'PENDING') return deliver(tx, intent)
  if (intent.status === 'UNRESOLVED') {
    await resolveAlarm(tx, 'purchase_unresolved', intentId)
    return deliver(tx, intent)
  }
  if (intent.status !== 'EXPIRED' && intent.status !== 'CANCELLED') return
  if (intent.unitsState === 'RETURNED') return purchasePaidLate(tx, intent)
  await deliver(tx, intent)
}

async function deliver(tx: Context, intent: PurchaseIntent): Promise<void> {
  if (await isPurchaseSuspended(tx, intent)) return refundUnconfirmed(tx, intent, SUSPENDED)
  const confirmed = await confirmPurchase(tx, intent)
  if (!confirmed) return refundUnconfirmed(tx, intent, LIMIT_REACHED)
  await enqueue(tx, continuePurchase, { intent_id: confirmed.id }, { key: confirmed.id })
}

async function isPurchaseSuspended(tx: Context, { listingId }: PurchaseIntent): Promise<boolean> {
  return isSuspendedUntilCommit(tx, await tx.db.listing.findFirstOrThrow({ where: { id: listingId } }))
}

async function refundUnconfirmed(tx: Context, intent: PurchaseIntent, reason: string): Promise<void> {
  const isOver = intent.status === 'EXPIRED' || intent.status === 'CANCELLED'
  const ended = await advancePurchase(
    tx,
    intent,
    { status: isOver ? intent.status : 'CANCELLED', fulfillmentStatus: 'EXCEPTION' },
    { failure: reason },
    reason,
  )
  await returnPurchase(tx, ended)
  await requestRefund(tx, intent.id)
}

async function purchasePaidLate(tx: Context, intent: PurchaseIntent): Promise<void> {
  const isStopped = await isPurchaseSuspended(tx, intent)
  const units = isStopped ? null : await retakeUnits(tx, intent)
  if (!units) {
    const reason = isStopped ? SUSPENDED : TOO_LATE
    await advancePurchase(tx, intent, { fulfillmentStatus: 'EXCEPTION' }, { failure: reason }, reason)
    return requestRefund(tx, intent.id)
  }
  await tx.db.purchaseUnit.deleteMany({ where: { intentId: intent.id } })
  await holdForPurchase(tx, intent.id, intent.listingId, units)
  await tx.db.purchaseIntent.updateMany({ where: { id: intent.id }, data: { unitsState: 'OPEN' } })
  await deliver(tx, { ...intent, unitsState: 'OPEN' })
}
