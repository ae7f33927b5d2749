import { type Context, inTransaction } from '../auth/context.ts'
import { discardMails } from '../outbox/discard-mails.ts'
import { releaseHolds } from '../stock/advance-hold.ts'
import { openTransaction } from '../transactions/open-transaction.ts'
import { advanceClaim } from './advance-claim.ts'
import { inactiveError, inactiveReasonOf } from './claim-state.ts'
import { lockInFull } from './read-claim.ts'
import { voidPins } from './void-pins.ts'

/**
 * Takes a claim back. Its units come free, unless a signed voucher could still mint them: that is cancelled on the chain first,
 * and the units return once the chain has said so. Revoking twice changes nothing.
 */
export const revokeClaim = (ctx: Context, id: string): Promise<undefined> =>
  inTransaction(ctx, async (tx) => {
    const claim = await lockInFull(tx, id)
    if (claim.state === 'REVOKED') return undefined
    const reason = inactiveReasonOf(claim, tx.now())
    if (reason === 'CLAIMED' || reason === 'EXPIRED') throw inactiveError(reason)
    await advanceClaim(tx, claim, 'REVOKED', { revokedAt: tx.now() })
    await voidPins(tx, id)
    await discardMails(tx, id, ['REDEEM_NFT', 'CLAIM_PINCODE'])
    const [voucher] = claim.vouchers
    if (voucher?.state !== 'PENDING') await releaseHolds(tx, { type: 'CLAIM', id })
    else {
      const { collectionId, networkId } = voucher
      await openTransaction(tx, { collectionId, networkId, txType: 'CANCEL_VOUCHER', payload: { voucher_id: voucher.id } })
    }
    return undefined
  })
