import type { ClaimToken, EmailClaim } from '../../generated/prisma/client.ts'
import { claimTokenHash } from '../platform/auth/authenticate.ts'
import type { Context } from '../platform/auth/context.ts'
import { currentKeyId, hmac, hmacsOf, sameBytes } from '../core/secrets.ts'

type Claim = Pick<EmailClaim, 'id' | 'generation'>
/** A claim with the stored token of its current link. */
type Issued = Claim & { tokens: readonly Pick<ClaimToken, 'hash'>[] }

/** The secret in a new link. It is derived whenever it is needed and never stored; each new link of a claim has its own generation. */
export const claimTokenOf = ({ id, generation }: Claim): string =>
  hmac('claim-token', id, generation).toString('base64url')

const madeFrom = ({ id, generation, tokens: [issued] }: Issued) =>
  hmacsOf('claim-token', id, generation)
    .map(({ keyId, mac }) => ({ keyId, token: mac.toString('base64url') }))
    .find(({ token }) => issued && sameBytes(claimTokenHash(token), issued.hash))

/** The id of the server key that made the claim's current link; null when it isn't listed any more. */
export const issuedKeyIdOf = (claim: Issued): string | null => madeFrom(claim)?.keyId ?? null

/** The secret in the claim's current link, by the server key that made it; null when that key isn't listed any more: the link is void. */
const issuedTokenOf = (claim: Issued): string | null => madeFrom(claim)?.token ?? null

/** The claim's current link; null when it is void. */
export function claimUrlOf(ctx: Pick<Context, 'ports'>, claim: Issued): string | null {
  const token = issuedTokenOf(claim)
  return token && `${ctx.ports.addresses.recipients}/claim/${token}`
}

/** Makes the claim's current link valid. */
export const issueClaimToken = async (tx: Context, claim: Claim): Promise<void> =>
  void (await issueClaimTokens(tx, [claim]))

/** The same for many claims. Returns the hashes of their tokens, in order. */
export async function issueClaimTokens(tx: Context, claims: readonly Claim[]): Promise<Pick<ClaimToken, 'hash'>[]> {
  const rows = claims.map((claim) => ({
    hash: claimTokenHash(claimTokenOf(claim)),
    serverKeyId: currentKeyId(),
    organizationId: tx.organizationId,
    claimId: claim.id,
    generation: claim.generation,
    createdAt: tx.now(),
  }))
  await tx.db.claimToken.createMany({ data: rows })
  return rows
}
