import type { Input, Output } from '../platform/api/endpoint.ts'
import type { resendEmailClaim as endpoint } from '../platform/api/email-claims.ts'
import { recordAudit } from '../records/audit/record-audit.ts'
import { type Context, inTransaction } from '../platform/auth/context.ts'
import { AppError } from '../core/errors.ts'
import { assertNotSuppressed } from '../messaging/email-integrations/find-suppression.ts'
import { discardMails } from '../messaging/outbox/discard-mails.ts'
import { advanceClaim } from './advance-claim.ts'
import { mailLink } from './claim-mails.ts'
import { inactiveError, inactiveReasonOf } from './claim-state.ts'
import { issueClaimToken } from './claim-token.ts'
import { lockClaimInFull, readClaim, type ClaimRow } from './read-claim.ts'
import { emailClaimOf } from './show-claim.ts'
import { voidPins } from './void-pins.ts'

/** Mails the link again and unlocks a locked claim. A corrected address gets a new link; the old one stops working. */
export const resendClaim = (
  ctx: Context,
  id: string,
  { email }: Input<typeof endpoint>['body'],
): Promise<Output<typeof endpoint>> =>
  inTransaction(ctx, async (tx) => {
    const claim = await lockClaimInFull(tx, id)
    const reason = inactiveReasonOf(claim, tx.now())
    if (reason !== null && reason !== 'LOCKED') throw inactiveError(reason)
    await assertNotSuppressed(tx, email ?? claim.email)
    if (reason === 'LOCKED') await advanceClaim(tx, claim, 'OPEN', { wrongPins: 0 })
    if (email && email !== claim.email) await correctAddress(tx, claim, email)
    await recordAudit(tx, {
      action: 'email_claim.resent',
      subject: { type: 'email_claim', id },
      before: { email: claim.email },
      after: { email: email ?? claim.email },
    })
    const current = await readClaim(tx, id)
    await mailLink(tx, current)
    return emailClaimOf(tx, current)
  })

async function correctAddress(tx: Context, claim: ClaimRow, email: string): Promise<void> {
  // Whoever proved the old mailbox holds a signed voucher: a new link couldn't deliver anything.
  if (claim.vouchers[0]?.state === 'PENDING')
    throw new AppError(
      'voucher_out',
      'The recipient at the old address holds a mint voucher already. Revoke this claim and make a new one.',
    )
  const generation = claim.generation + 1
  await tx.db.emailClaim.updateMany({
    where: { id: claim.id },
    data: { email, generation, wrongPins: 0, lastPinSentAt: null, openedAt: null },
  })
  await issueClaimToken(tx, { id: claim.id, generation })
  await voidPins(tx, claim.id)
  await discardMails(tx, claim.id, ['REDEEM_NFT', 'CLAIM_PINCODE', 'CLAIM_REMINDER'])
}
