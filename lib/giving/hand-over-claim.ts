import { randomBytes } from 'node:crypto'
import type { Output } from '../platform/api/endpoint.ts'
import type { handOverClaim as endpoint } from '../platform/api/public-claims.ts'
import { type Context, inTransaction } from '../platform/auth/context.ts'
import { HANDOVER_BYTES, handoverHash } from '../platform/auth/handover-context.ts'
import { MINUTE, secondsFrom } from '../core/clock.ts'
import type { Statement } from '../db/statements.ts'
import { linkOf } from './current-claim.ts'
import { readRedeemable } from './redemptions/read-redeemable.ts'

const LIFE_SECONDS = 5 * MINUTE

/** A claim has one code at a time, so however often one is made, the table stays small. */
const SET: Statement = {
  name: 'set_claim_handover',
  text: `INSERT INTO claim_handovers (claim_id, organization_id, generation, hash, expires_at, created_at)
    VALUES ($1::uuid, $2::uuid, $3::int, $4::bytea, $5::timestamptz, $6::timestamptz)
    ON CONFLICT (claim_id) DO UPDATE SET generation = excluded.generation, hash = excluded.hash,
      expires_at = excluded.expires_at, created_at = excluded.created_at, used_at = NULL`,
}

/**
 * Makes the address by which the claim is opened in another browser: a wallet's app, a phone. It holds a code and not
 * the claim's token, since apps pass addresses on. The code of an earlier one stops working. The PIN isn't handed over:
 * it is asked there again.
 */
export async function handOverClaim(ctx: Context): Promise<Output<typeof endpoint>> {
  await readRedeemable(ctx)
  const { id, generation } = linkOf(ctx)
  const code = randomBytes(HANDOVER_BYTES).toString('base64url')
  return inTransaction(ctx, async (tx) => {
    const now = tx.now()
    const expires_at = secondsFrom(now, LIFE_SECONDS)
    await tx.later(SET, id, tx.organizationId, generation, handoverHash(code), expires_at, now)
    return { url: `${tx.ports.addresses.recipients}/h/${code}`, expires_at }
  })
}
