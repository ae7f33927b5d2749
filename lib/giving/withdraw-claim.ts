import type { Context } from '../platform/auth/context.ts'
import { hasUnappliedFacts } from '../onchain/vouchers/has-unapplied-facts.ts'
import { openTransaction } from '../orders/open-transaction.ts'
import { advanceClaim } from './advance-claim.ts'
import type { LinkedClaim } from './lock-linked-claim.ts'
import { voidLink } from './void-pins.ts'

/**
 * Revokes a claim that is locked, and says whether its units are free now: the caller decides where they go. They
 * aren't while a signed voucher could still mint them: that voucher is cancelled on the chain first, and
 * on-voucher-ended.ts returns the units.
 */
export async function withdrawClaim(
  tx: Context,
  claim: Pick<LinkedClaim, 'id' | 'state' | 'vouchers'>,
  { declined = false } = {},
): Promise<'units_free' | 'voucher_out'> {
  const revokedAt = tx.now()
  if (declined)
    await advanceClaim(tx, claim, 'REVOKED', { revokedAt, declinedAt: revokedAt }, 'The recipient declined it.')
  else await advanceClaim(tx, claim, 'REVOKED', { revokedAt })
  await voidLink(tx, claim.id)
  const [voucher] = claim.vouchers
  if (voucher?.state !== 'PENDING')
    // The chain has used it, or takes that back: what follows is decided when the fact is applied.
    return voucher && (await hasUnappliedFacts(tx, { claimId: claim.id })) ? 'voucher_out' : 'units_free'
  const { collectionId, networkId } = voucher
  await openTransaction(tx, { collectionId, networkId, txType: 'CANCEL_VOUCHER', payload: { voucher_id: voucher.id } })
  return 'voucher_out'
}
