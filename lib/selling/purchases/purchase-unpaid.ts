import { resolveAlarm } from '../../records/alarms/raise-alarm.ts'
import type { Context } from '../../platform/auth/context.ts'
import { advancePurchase } from './advance-purchase.ts'
import { lockPurchase } from './lock-purchase.ts'
import { returnPurchase } from './return-purchase.ts'

/**
 * The provider has acknowledged that it can't be paid any more: the purchase ends, and its units return. So does one of
 * which that was not known for a time.
 */
export async function purchaseUnpaid(tx: Context, intentId: string): Promise<void> {
  const intent = await lockPurchase(tx, intentId)
  if (intent.status !== 'PENDING' && intent.status !== 'UNRESOLVED') return
  const status = intent.expiresAt <= tx.now() ? 'EXPIRED' : 'CANCELLED'
  await returnPurchase(tx, await advancePurchase(tx, intent, { status }, { failure: null }))
  await resolveAlarm(tx, 'purchase_unresolved', intentId)
}
