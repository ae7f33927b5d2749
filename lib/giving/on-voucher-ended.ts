import type { Context } from '../platform/auth/context.ts'
import { advanceVoucher } from '../onchain/vouchers/advance-voucher.ts'
import { hasUnappliedFacts } from '../onchain/vouchers/has-unapplied-facts.ts'
import { lockClaim } from './read-claim.ts'
import { returnClaimUnits } from './return-claim-units.ts'

/**
 * Nobody can mint with a claim's voucher any more. An open claim may issue another one; a revoked claim returns its
 * units. false: the voucher had ended or was used before, or is to expire while the chain says something of it that
 * isn't applied yet.
 */
export async function claimVoucherEnded(
  tx: Context,
  { claimId, voucherId }: { claimId: string; voucherId: string },
  to: 'EXPIRED' | 'CANCELLED',
): Promise<boolean> {
  const claim = await lockClaim(tx, claimId)
  const voucher = await tx.db.voucher.findFirst({ where: { id: voucherId, state: 'PENDING' } })
  if (!voucher || (to === 'EXPIRED' && (await hasUnappliedFacts(tx, { id: voucherId })))) return false
  await advanceVoucher(tx, voucher, to)
  if (claim.state === 'REVOKED') await returnClaimUnits(tx, claim, 'REVOKED')
  return true
}
