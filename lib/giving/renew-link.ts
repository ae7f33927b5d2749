import type { ClaimToken, EmailClaim } from '../../generated/prisma/client.ts'
import type { Context } from '../platform/auth/context.ts'
import type { Statement } from '../db/statements.ts'
import { issueClaimToken, tokenRowOf } from './claim-token.ts'
import { voidLink } from './void-pins.ts'

const RENEW: Statement = {
  name: 'renew_link',
  text: `UPDATE email_claims SET email = $3::text, generation = $4::int, wrong_pins = 0, link_wrong_pins = 0,
      last_pin_sent_at = CASE WHEN email = $3::text THEN last_pin_sent_at END,
      opened_at = CASE WHEN email = $3::text THEN opened_at END,
      updated_at = $5::timestamptz
    WHERE organization_id = $1::uuid AND id = $2::uuid`,
}

type Renewed = Pick<
  EmailClaim,
  'email' | 'generation' | 'wrongPins' | 'linkWrongPins' | 'lastPinSentAt' | 'openedAt'
> & {
  tokens: Pick<ClaimToken, 'hash'>[]
}

/**
 * Replaces a claim's link by a new one, which only the mailbox gets: counts of wrong PINs begin anew. Call it with the
 * claim locked. Returns the claim as it is then.
 */
export async function renewLink<C extends Pick<EmailClaim, 'id'> & Omit<Renewed, 'tokens'>>(
  tx: Context,
  claim: C,
  email = claim.email,
): Promise<Omit<C, keyof Renewed> & Renewed> {
  const generation = claim.generation + 1
  await tx.later(RENEW, tx.organizationId, claim.id, email, generation, tx.now().toISOString())
  await issueClaimToken(tx, { id: claim.id, generation })
  await voidLink(tx, claim.id)
  const unopened = { lastPinSentAt: null, openedAt: null }
  return {
    ...claim,
    email,
    generation,
    wrongPins: 0,
    linkWrongPins: 0,
    tokens: [tokenRowOf({ id: claim.id, generation })],
    ...(email !== claim.email && unopened),
  }
}
