import type { Context } from '../../platform/auth/context.ts'
import { advanceVoucher } from '../../onchain/vouchers/advance-voucher.ts'
import { confirmPurchase } from './confirm-purchase.ts'
import { lockPurchase } from './lock-purchase.ts'
import { purchaseDelivered, purchaseUndelivered } from './on-token-delivered.ts'

type Redemption = { intentId: string; voucherId: string; txHash: string }

/**
 * A purchase's voucher was used on the chain: the buyer has paid and has the token, whatever state the purchase was in,
 * and however many they had before.
 */
export async function purchaseVoucherRedeemed(tx: Context, { intentId, voucherId, txHash }: Redemption): Promise<void> {
  const intent = await lockPurchase(tx, intentId)
  const voucher = await tx.db.voucher.findFirst({ where: { id: voucherId, state: { not: 'REDEEMED' } } })
  if (!voucher) return
  await advanceVoucher(tx, voucher, 'REDEEMED', txHash)
  if (intent.status !== 'CONFIRMED') await confirmPurchase(tx, intent, { limited: false })
  await purchaseDelivered(tx, intentId)
}

/** A reorg undid that: the voucher can be sent again. */
export async function purchaseVoucherUnredeemed(tx: Context, { intentId, voucherId }: Redemption): Promise<void> {
  await lockPurchase(tx, intentId)
  const voucher = await tx.db.voucher.findFirst({ where: { id: voucherId, state: 'REDEEMED' } })
  if (!voucher) return
  await advanceVoucher(tx, voucher, 'PENDING', null)
  await purchaseUndelivered(tx, intentId)
}
