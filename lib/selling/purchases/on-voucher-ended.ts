import type { Context } from '../../platform/auth/context.ts'
import { advanceVoucher } from '../../onchain/vouchers/advance-voucher.ts'
import { hasUnappliedFacts } from '../../onchain/vouchers/has-unapplied-facts.ts'
import { advancePurchase } from './advance-purchase.ts'
import { lockPurchase } from './lock-purchase.ts'
import { returnPurchase } from './return-purchase.ts'

/**
 * Nobody can pay with a purchase's voucher any more: its units return. false: the voucher had ended or was used before,
 * or is to expire while the chain says something of it that isn't applied yet.
 */
export async function purchaseVoucherEnded(
  tx: Context,
  { intentId, voucherId }: { intentId: string; voucherId: string },
  to: 'EXPIRED' | 'CANCELLED',
): Promise<boolean> {
  const intent = await lockPurchase(tx, intentId)
  const voucher = await tx.db.voucher.findFirst({ where: { id: voucherId, state: 'PENDING' } })
  if (!voucher || (to === 'EXPIRED' && (await hasUnappliedFacts(tx, { id: voucherId })))) return false
  await advanceVoucher(tx, voucher, to)
  // CONFIRMED and undelivered: a reorg undid the mint, and the voucher wasn't sent again.
  const isOpen =
    intent.status === 'PENDING' || (intent.status === 'CONFIRMED' && intent.fulfillmentStatus !== 'COMPLETED')
  await returnPurchase(tx, isOpen ? await advancePurchase(tx, intent, { status: to }) : intent)
  return true
}
