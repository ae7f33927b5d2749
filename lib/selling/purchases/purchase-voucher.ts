import type { Context } from '../../platform/auth/context.ts'
import { advancePurchase } from './advance-purchase.ts'
import { confirmPurchase } from './confirm-purchase.ts'
import { lockPurchase } from './lock-purchase.ts'
import { purchaseDelivered } from './purchase-delivered.ts'
import { returnPurchase } from './return-purchase.ts'

/** Its voucher was redeemed on the chain: the buyer has paid and has the token, in one stroke, whatever we took the purchase for. */
export async function purchaseRedeemed(tx: Context, intentId: string): Promise<void> {
  const intent = await lockPurchase(tx, intentId)
  if (intent.status !== 'CONFIRMED') await confirmPurchase(tx, intent)
  await purchaseDelivered(tx, intentId)
}

/** Nobody can pay with its voucher any more: the units come back. */
export async function purchaseVoucherEnded(tx: Context, intentId: string, to: 'EXPIRED' | 'CANCELLED'): Promise<void> {
  const intent = await lockPurchase(tx, intentId)
  // CONFIRMED: a reorg took its mint back, and nobody sent the voucher again.
  const open =
    intent.status === 'PENDING' || (intent.status === 'CONFIRMED' && intent.fulfillmentStatus !== 'COMPLETED')
  await returnPurchase(tx, open ? await advancePurchase(tx, intent, { status: to }) : intent)
}
