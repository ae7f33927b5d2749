import { raiseAlarm } from '../../records/alarms/raise-alarm.ts'
import type { Context } from '../../platform/auth/context.ts'
import { advancePurchase } from './advance-purchase.ts'
import { lockPurchaseAndClaims } from './lock-purchase.ts'
import { purchaseFailed } from './purchase-failed.ts'
import { stopDeliveries } from './stop-deliveries.ts'

/** The buyer's bank took the money back, or may: what isn't delivered is stopped, and nothing is refunded on top. */
export async function purchaseDisputed(tx: Context, intentId: string, reason: string): Promise<void> {
  const intent = await lockPurchaseAndClaims(tx, intentId)
  if (intent.status === 'REFUNDED' || intent.status === 'UNRESOLVED') return
  const disputed = await advancePurchase(tx, intent, { status: 'UNRESOLVED' }, { failure: reason }, reason)
  if ((await stopDeliveries(tx, disputed, reason)) > 0) await purchaseFailed(tx, disputed, reason)
  await raiseAlarm(
    tx,
    'purchase_unresolved',
    intentId,
    `Purchase ${intentId} is disputed: what wasn’t delivered is kept back. ${reason}`,
  )
}
