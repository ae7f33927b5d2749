import type { Context } from '../platform/auth/context.ts'
import { advanceVoucher } from '../onchain/vouchers/advance-voucher.ts'
import { claimsDelivered, claimUndelivered } from './on-token-delivered.ts'
import { lockClaim } from './read-claim.ts'

type Redemption = { claimId: string; voucherId: string; txHash: string }

/** The voucher of a claim was used on the chain: the claim is delivered. */
export async function claimVoucherRedeemed(tx: Context, { claimId, voucherId, txHash }: Redemption): Promise<void> {
  await lockClaim(tx, claimId)
  const voucher = await tx.db.voucher.findFirst({ where: { id: voucherId, state: { not: 'REDEEMED' } } })
  if (!voucher) return
  await advanceVoucher(tx, voucher, 'REDEEMED', txHash)
  await claimsDelivered(tx, new Map([[claimId, { txHash, toAddress: voucher.minter }]]))
}

/** A reorg undid that: the voucher can be sent again. */
export async function claimVoucherUnredeemed(tx: Context, { claimId, voucherId }: Redemption): Promise<void> {
  await lockClaim(tx, claimId)
  const voucher = await tx.db.voucher.findFirst({ where: { id: voucherId, state: 'REDEEMED' } })
  if (!voucher) return
  await advanceVoucher(tx, voucher, 'PENDING', null)
  await claimUndelivered(tx, claimId)
}
