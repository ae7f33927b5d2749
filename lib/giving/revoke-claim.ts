import { type Context, inTransaction } from '../platform/auth/context.ts'
import { inEscrow } from '../core/errors.ts'
import { isRecovering, recoveringError } from '../orders/recovering.ts'
import { inactiveError, inactiveReasonOf } from './claim-state.ts'
import { withdrawClaim } from './withdraw-claim.ts'
import { lockLinkedClaim } from './lock-linked-claim.ts'
import { returnClaimUnits } from './return-claim-units.ts'

/**
 * Revokes a claim. Its units return and a purchase behind it is refunded: at once, or when the chain has cancelled the
 * voucher that was signed for it. Throws `in_escrow` for what a holder sent, and `recovering` while the chain may know
 * of a redemption that the books don't. Revoking twice changes nothing.
 */
export const revokeClaim = (ctx: Context, id: string): Promise<undefined> =>
  inTransaction(ctx, async (tx) => {
    const claim = await lockLinkedClaim(tx, id)
    if (claim.state === 'REVOKED') return undefined
    if (claim.escrowId !== null)
      throw inEscrow(
        'A holder sent this item, so you can’t take it back: ' +
          'it goes to its recipient, or back to the holder after 30 days.',
      )
    const reason = inactiveReasonOf(claim, tx.now())
    if (reason === 'CLAIMED' || reason === 'EXPIRED') throw inactiveError(reason, claim)
    if (await isRecovering(tx, claim.collectionId)) throw recoveringError()
    if ((await withdrawClaim(tx, claim)) === 'units_free') await returnClaimUnits(tx, claim, 'REVOKED')
    return undefined
  })
