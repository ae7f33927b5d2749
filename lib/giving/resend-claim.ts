import type { Input, Output } from '../platform/api/endpoint.ts'
import type { resendEmailClaim as endpoint } from '../platform/api/email-claims.ts'
import { recordAudit } from '../records/audit/record-audit.ts'
import { type Context, inTransaction } from '../platform/auth/context.ts'
import { assertNotSuspended } from '../platform/auth/suspended.ts'
import { AppError, inEscrow } from '../core/errors.ts'
import type { Statement } from '../db/statements.ts'
import { assertNotSuppressed } from '../messaging/email-integrations/find-suppression.ts'
import { advanceClaim } from './advance-claim.ts'
import { mailLink } from './claim-mails.ts'
import { claimUrlOf } from './claim-token.ts'
import { inactiveError, inactiveReasonOf, needsNewLink } from './claim-state.ts'
import { type LinkedClaim, lockLinkedClaim } from './lock-linked-claim.ts'
import { anHourBefore, assertPaced, MAX_PER_HOUR } from './mail-pace.ts'
import { renewLink } from './renew-link.ts'
import { emailClaimOf } from './show-claim.ts'
import { voidPins } from './void-pins.ts'

/** The action of a resend in the audit log. Its entries are never deleted, so they say how often a link was resent. */
const RESENT = 'email_claim.resent'

const RESENDS: Statement = {
  name: 'resends_of_claim',
  text: `SELECT created_at AS "createdAt" FROM audit_entries
    WHERE organization_id = $1::uuid AND subject_id = $2::text AND action = '${RESENT}' AND created_at > $3::timestamptz
    ORDER BY created_at DESC LIMIT ${MAX_PER_HOUR}`,
}

/**
 * Mails the link again and unlocks a locked claim. A corrected address gets a new link, and so does the same one where
 * `new_link` asks for it or the server key of the link isn't listed any more; the old link stops working. A PIN that is
 * out is void, and so is a proof of it. Throws `claim_locked` when only a new link helps, and `rate_limited` as
 * `sendPin` does; to a corrected address it may go at once.
 */
export const resendClaim = (
  ctx: Context,
  id: string,
  { email: given, new_link }: Input<typeof endpoint>['body'],
): Promise<Output<typeof endpoint>> =>
  inTransaction(ctx, async (tx) => {
    const claim = await lockLinkedClaim(tx, id)
    const email = given ?? claim.email
    const reason = inactiveReasonOf(claim, tx.now())
    if (reason !== null && reason !== 'LOCKED') throw inactiveError(reason, claim)
    await assertNotSuspended(tx, claim)
    await assertNotSuppressed(tx, email)
    const corrected = email !== claim.email
    const renewed = corrected || (new_link ?? false) || claimUrlOf(tx, claim) === null
    if (needsNewLink(claim) && !renewed)
      throw new AppError(
        'claim_locked',
        'Too many wrong PINs were typed at this link for sending it again. ' +
          'Make a new link (new_link): the old one stops working.',
      )
    if (corrected) assertMovable(claim)
    await assertNotTooSoon(tx, id, corrected)
    if (reason === 'LOCKED') await advanceClaim(tx, claim, 'OPEN', { wrongPins: 0 })
    const open = { ...claim, state: 'OPEN' as const, wrongPins: reason === 'LOCKED' ? 0 : claim.wrongPins }
    await voidPins(tx, id)
    const current = renewed ? await renewLink(tx, open, email) : open
    await recordAudit(tx, {
      action: RESENT,
      subject: { type: 'email_claim', id },
      before: { email: claim.email },
      after: { email, ...(renewed && { new_link: true }) },
    })
    await mailLink(tx, current)
    return emailClaimOf(tx, current)
  })

/** Call it with the claim locked. */
async function assertNotTooSoon(tx: Context, id: string, corrected: boolean): Promise<void> {
  const now = tx.now()
  const sent = await tx.rows<{ createdAt: Date }>(RESENDS, tx.organizationId, id, anHourBefore(now).toISOString())
  const last = corrected ? null : (sent[0]?.createdAt ?? null)
  assertPaced({ last, sent }, now, (wait) => `This link was sent again a moment ago. Send it again in ${wait}.`)
}

/**
 * Whoever proved the old mailbox holds a signed voucher: a new link couldn't deliver anything. What a holder sent is
 * for the mailbox they named.
 */
function assertMovable(claim: LinkedClaim): void {
  if (claim.escrowId !== null)
    throw inEscrow(
      'A holder sent this item to this mailbox, so it can’t go to another one. Send it again without email.',
    )
  if (claim.vouchers[0]?.state === 'PENDING')
    throw new AppError(
      'voucher_out',
      'The recipient at the old address holds a mint voucher already. Revoke this claim and make a new one.',
    )
}
