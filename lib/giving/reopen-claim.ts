import type { Context } from '../platform/auth/context.ts'
import { DAY, secondsFrom } from '../core/clock.ts'
import { advanceClaim } from './advance-claim.ts'
import { mailLink } from './claim-mails.ts'
import { lockClaim, readClaim } from './read-claim.ts'

/** Time for a second try, even where the claim has expired meanwhile. */
const GRACE_SECONDS = 7 * DAY

/** Our mint failed permanently: the claim can be redeemed again, to another address. The recipient is told by mail. */
export async function reopenClaim(tx: Context, claimId: string, reason: string): Promise<void> {
  const claim = await lockClaim(tx, claimId)
  if (claim.state !== 'REDEEMED') return
  const grace = secondsFrom(tx.now(), GRACE_SECONDS)
  const expiresAt = claim.expiresAt && (claim.expiresAt > grace ? claim.expiresAt : grace)
  await advanceClaim(tx, claim, 'OPEN', { redeemedAt: null, toAddress: null, expiresAt }, reason)
  if (claim.escrowId)
    await tx.db.escrow.updateMany({ where: { id: claim.escrowId }, data: { offeredUntil: expiresAt } })
  await mailLink(tx, await readClaim(tx, claimId), { retry: true })
}
