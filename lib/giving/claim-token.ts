import type { EmailClaim } from '../../generated/prisma/client.ts'
import { claimTokenHash } from '../platform/auth/authenticate.ts'
import type { Context } from '../platform/auth/context.ts'
import { hmac } from '../core/secrets.ts'

type Claim = Pick<EmailClaim, 'id' | 'generation'>

/** The secret in the link. It is derived whenever it is needed and never stored; each new link of a claim has its own generation. */
export const claimTokenOf = ({ id, generation }: Claim): string =>
  hmac('claim-token', id, generation).toString('base64url')

export const claimUrlOf = (ctx: Pick<Context, 'ports'>, claim: Claim): string =>
  `${ctx.ports.addresses.recipients}/claim/${claimTokenOf(claim)}`

/** Makes the claim's current link valid. */
export async function issueClaimToken(tx: Context, claim: Claim): Promise<void> {
  const data = {
    hash: claimTokenHash(claimTokenOf(claim)),
    organizationId: tx.organizationId,
    claimId: claim.id,
    generation: claim.generation,
  }
  await tx.db.claimToken.create({ data: { ...data, createdAt: tx.now() } })
}
