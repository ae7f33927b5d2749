import { raiseAlarm } from '../../records/alarms/raise-alarm.ts'
import type { Context } from '../../platform/auth/context.ts'
import { advancePurchase } from './advance-purchase.ts'
import { lockPurchase } from './lock-purchase.ts'

/** The provider didn't refund: the retries continue, and a person must look. */
export async function refundStuck(tx: Context, intentId: string, reason: string): Promise<void> {
  const intent = await lockPurchase(tx, intentId)
  if (intent.status === 'REFUNDED') return
  if (intent.status !== 'UNRESOLVED')
    await advancePurchase(tx, intent, { status: 'UNRESOLVED' }, { failure: reason }, reason)
  await raiseAlarm(
    tx,
    'purchase_unresolved',
    intentId,
    `Purchase ${intentId} was paid and is neither delivered nor refunded: ${reason}`,
  )
}
