import type { Context } from '../../platform/auth/context.ts'
import { claimVoucherEnded } from '../../giving/on-voucher-ended.ts'
import { claimVoucherRedeemed, claimVoucherUnredeemed } from '../../giving/on-voucher-redeemed.ts'
import { purchaseVoucherEnded } from '../../selling/purchases/on-voucher-ended.ts'
import { purchaseVoucherRedeemed, purchaseVoucherUnredeemed } from '../../selling/purchases/on-voucher-redeemed.ts'

/** A fact about a voucher that the chain tells, and the transaction that it is in. */
export type VoucherFact = { voucherId: string; txHash: string }

/** Whose voucher it is: a claim's or a purchase's. The callback locks that one before it reads the voucher. */
const ownerOf = (tx: Context, id: string) =>
  tx.db.voucher.findFirst({ where: { id }, select: { claimId: true, purchaseIntentId: true } })

/** The voucher's mint is on the chain: its claim or purchase is delivered. */
export async function voucherRedeemed(tx: Context, fact: VoucherFact): Promise<void> {
  const owner = await ownerOf(tx, fact.voucherId)
  if (owner?.claimId) await claimVoucherRedeemed(tx, { ...fact, claimId: owner.claimId })
  if (owner?.purchaseIntentId) await purchaseVoucherRedeemed(tx, { ...fact, intentId: owner.purchaseIntentId })
}

/** A reorg undid that mint: the voucher can be sent again. */
export async function voucherUnredeemed(tx: Context, fact: VoucherFact): Promise<void> {
  const owner = await ownerOf(tx, fact.voucherId)
  if (owner?.claimId) await claimVoucherUnredeemed(tx, { ...fact, claimId: owner.claimId })
  if (owner?.purchaseIntentId) await purchaseVoucherUnredeemed(tx, { ...fact, intentId: owner.purchaseIntentId })
}

/** The contract refuses the voucher from now on, in a block that no reorg undoes. */
export const voucherCancelled = async (tx: Context, { voucherId }: VoucherFact): Promise<void> =>
  void (await endVoucher(tx, voucherId, 'CANCELLED'))

/** Nobody can mint with a voucher any more. false: it had ended or was used before. */
export async function endVoucher(tx: Context, voucherId: string, to: 'EXPIRED' | 'CANCELLED'): Promise<boolean> {
  const owner = await ownerOf(tx, voucherId)
  if (owner?.claimId) return claimVoucherEnded(tx, { voucherId, claimId: owner.claimId }, to)
  if (owner?.purchaseIntentId) return purchaseVoucherEnded(tx, { voucherId, intentId: owner.purchaseIntentId }, to)
  return false
}
