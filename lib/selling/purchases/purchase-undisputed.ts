import { resolveAlarm } from '../../records/alarms/raise-alarm.ts'
import type { Context } from '../../platform/auth/context.ts'
import { continuePurchase } from '../../platform/jobs/jobs.ts'
import { enqueue } from '../../platform/jobs/queue.ts'
import { advancePurchase } from './advance-purchase.ts'
import { lockPurchase } from './lock-purchase.ts'

const WON = 'The dispute was decided for the seller.'

/**
 * The dispute was won: the purchase continues where it stopped. Units that are still its own are delivered now; for
 * those that can't be, the job written here does what it does for every failure.
 */
export async function purchaseUndisputed(tx: Context, intentId: string): Promise<void> {
  const intent = await lockPurchase(tx, intentId)
  // Of a recovered one it isn't known what there is to deliver, and to whom.
  if (intent.status !== 'UNRESOLVED' || intent.recoveredAt) return
  const units = await tx.db.purchaseUnit.count({ where: { intentId } })
  const held = await tx.db.hold.count({ where: { holderType: 'PURCHASE', holderId: intentId, state: 'HELD' } })
  const again = intent.fulfillmentStatus === 'EXCEPTION' && held === units
  await advancePurchase(
    tx,
    intent,
    { status: 'CONFIRMED', ...(again && { fulfillmentStatus: 'PENDING' as const }) },
    { failure: null },
    WON,
  )
  await resolveAlarm(tx, 'purchase_unresolved', intentId)
  await enqueue(tx, continuePurchase, { intent_id: intentId }, { key: intentId })
}
