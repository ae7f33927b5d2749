import type { ClaimToken, EmailClaim } from '../../generated/prisma/client.ts'
import { claimTokenHash } from '../platform/auth/authenticate.ts'
import type { Context } from '../platform/auth/context.ts'
import { writeIn } from '../db/organization-transaction.ts'
import { type Call, call, type Statement } from '../db/statements.ts'
import { currentKeyId, hmac, hmacsOf, sameBytes } from '../core/secrets.ts'

type Claim = Pick<EmailClaim, 'id' | 'generation'>
/** A claim with the stored token of its current link. */
type Issued = Claim & { tokens: readonly Pick<ClaimToken, 'hash'>[] }

/**
 * The secret in a new link. It is derived whenever it is needed and never stored; each new link of a claim has its own
 * generation.
 */
export const claimTokenOf = ({ id, generation }: Claim): string =>
  hmac('claim-token', id, generation).toString('base64url')

const madeFrom = ({ id, generation, tokens: [issued] }: Issued) =>
  hmacsOf('claim-token', id, generation)
    .map(({ keyId, mac }) => ({ keyId, token: mac.toString('base64url') }))
    .find(({ token }) => issued && sameBytes(claimTokenHash(token), issued.hash))

/** The id of the server key that made the claim's current link; null when it isn't listed any more. */
export const issuedKeyIdOf = (claim: Issued): string | null => madeFrom(claim)?.keyId ?? null

/**
 * The secret in the claim's current link, by the server key that made it; null when that key isn't listed any more: the
 * link is void.
 */
export const issuedTokenOf = (claim: Issued): string | null => madeFrom(claim)?.token ?? null

/** The claim's current link; null when it is void. */
export function claimUrlOf(ctx: Pick<Context, 'ports'>, claim: Issued): string | null {
  const token = issuedTokenOf(claim)
  return token && `${ctx.ports.addresses.recipients}/claim/${token}`
}

const INSERT: Statement = {
  name: 'insert_claim_tokens',
  text: `INSERT INTO claim_tokens (hash, server_key_id, organization_id, claim_id, generation, created_at)
    SELECT decode(t.hash, 'hex'), $2::text, $1::uuid, t.claim_id, t.generation, $3::timestamptz
    FROM jsonb_to_recordset($4::jsonb) AS t (hash text, claim_id uuid, generation int)`,
}

/** Makes the claim's current link valid. */
export async function issueClaimToken(tx: Context, claim: Claim): Promise<void> {
  await writeIn(tx, tokensCall(tx.organizationId, [{ ...claim, tokens: [tokenRowOf(claim)] }], tx.now()))
}

/** The token of the claim's current link as it is stored. */
export const tokenRowOf = (claim: Claim): Pick<ClaimToken, 'hash'> => ({ hash: claimTokenHash(claimTokenOf(claim)) })

/** The statement that makes the current links of many claims valid. */
export const tokensCall = (organizationId: string, claims: readonly Issued[], now: Date): Call =>
  call(
    INSERT,
    organizationId,
    currentKeyId(),
    now.toISOString(),
    JSON.stringify(
      claims.map(({ id, generation, tokens: [token] }) => ({
        hash: Buffer.from(token!.hash).toString('hex'),
        claim_id: id,
        generation,
      })),
    ),
  )
