import type { Context } from '../../platform/auth/context.ts'
import { advancePurchase } from './advance-purchase.ts'
import { lockPurchase } from './lock-purchase.ts'
import { returnPurchase } from './return-purchase.ts'

/** The provider has acknowledged that it can't be paid any more: the purchase ends, and its units return. */
export async function purchaseUnpaid(tx: Context, intentId: string): Promise<void> {
  const intent = await lockPurchase(tx, intentId)
  if (intent.status !== 'PENDING') return
  const status = intent.expiresAt <= tx.now() ? 'EXPIRED' : 'CANCELLED'
  await returnPurchase(tx, await advancePurchase(tx, intent, { status }))
}
