import type { EmailClaim } from '../../generated/prisma/client.ts'
import type { Context } from '../platform/auth/context.ts'
import { discardMails } from '../messaging/outbox/discard-mails.ts'
import { issueClaimToken } from './claim-token.ts'
import { voidPins } from './void-pins.ts'

/** Replaces a claim's link by a new one, which only the mailbox gets: counts of wrong PINs begin anew. Call it with the claim locked. */
export async function renewLink(
  tx: Context,
  claim: Pick<EmailClaim, 'id' | 'generation' | 'email'>,
  email = claim.email,
): Promise<void> {
  const generation = claim.generation + 1
  const unopened = { lastPinSentAt: null, openedAt: null }
  await tx.db.emailClaim.updateMany({
    where: { id: claim.id },
    data: { email, generation, wrongPins: 0, linkWrongPins: 0, ...(email !== claim.email && unopened) },
  })
  await issueClaimToken(tx, { id: claim.id, generation })
  await voidPins(tx, claim.id)
  await discardMails(tx, claim.id, ['REDEEM_NFT', 'CLAIM_PINCODE', 'CLAIM_REMINDER'])
}
