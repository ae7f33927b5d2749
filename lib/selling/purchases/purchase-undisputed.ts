import { resolveAlarm } from '../../records/alarms/raise-alarm.ts'
import type { Context } from '../../platform/auth/context.ts'
import { continuePurchase } from '../../platform/jobs/jobs.ts'
import { enqueue } from '../../platform/jobs/queue.ts'
import { advancePurchase } from './advance-purchase.ts'
import { lockPurchase } from './lock-purchase.ts'

const WON = 'The dispute was decided for the seller.'

/**
 * The money stays after all: the purchase goes on where the dispute stopped it. What was delivered is; what is still the
 * purchase's own is delivered now; of what can't be any more, the job written here makes what it makes of every failure.
 */
export async function purchaseUndisputed(tx: Context, intentId: string): Promise<void> {
  const intent = await lockPurchase(tx, intentId)
  if (intent.status !== 'UNRESOLVED') return
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
