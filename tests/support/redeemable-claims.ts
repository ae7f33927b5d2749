import { randomInt } from 'node:crypto'
import type { Address } from 'viem'
import { claimTokenHash } from '../../lib/platform/auth/authenticate.ts'
import { claimTokenOf } from '../../lib/giving/claim-token.ts'
import { pinHash } from '../../lib/giving/send-pin.ts'
import { HOUR, secondsFrom } from '../../lib/core/clock.ts'
import { newId } from '../../lib/core/id.ts'
import { call } from './call.ts'
import type { TestOrganization } from './organization.ts'

export type RedeemableClaim = { id: string; itemId: string; pin: string; token: string }

/** Rows per statement. */
const CHUNK_ROWS = 500

/** Claims of one unit each with known PINs, written to the database in bulk. */
export async function makeRedeemableClaims(
  organization: TestOrganization,
  collectionId: string,
  itemIds: readonly string[],
  { txPayer = 'SELLER' as 'SELLER' | 'BUYER' } = {},
): Promise<RedeemableClaim[]> {
  const { ctx, id: organizationId } = organization
  const claims = itemIds.map((itemId): RedeemableClaim => {
    const id = newId()
    return {
      id,
      itemId,
      pin: String(randomInt(1_000_000)).padStart(6, '0'),
      token: claimTokenOf({ id, generation: 1 }),
    }
  })
  const expiresAt = secondsFrom(ctx.now(), HOUR)
  for (let at = 0; at < claims.length; at += CHUNK_ROWS) {
    const chunk = claims.slice(at, at + CHUNK_ROWS)
    await ctx.db.emailClaim.createMany({
      data: chunk.map(({ id, itemId }) => ({
        id,
        organizationId,
        collectionId,
        itemId,
        email: `${id}@example.com`,
        quantity: 1n,
        txPayer,
      })),
    })
    await ctx.db.hold.createMany({
      data: chunk.map(({ id, itemId }) => ({
        id: newId(),
        organizationId,
        collectionId,
        itemId,
        holderType: 'CLAIM' as const,
        holderId: id,
        quantity: 1n,
      })),
    })
    await ctx.db.claimToken.createMany({
      data: chunk.map(({ id, token }) => ({ hash: claimTokenHash(token), organizationId, claimId: id, generation: 1 })),
    })
    await ctx.db.pin.createMany({
      data: chunk.map(({ id, pin }) => ({
        id: newId(),
        organizationId,
        claimId: id,
        hash: pinHash(id, pin),
        expiresAt,
      })),
    })
  }
  return claims
}

/** Redeems a claim through the public endpoint; returns the body. */
export async function redeem({ token, pin }: RedeemableClaim, address: Address) {
  const { status, body } = await call('POST', `/public/v1/email-claims/${token}/redeem`, { body: { pin, address } })
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body
}
