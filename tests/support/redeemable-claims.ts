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
      pin: randomPin(),
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
    await insertPins(organization, chunk, expiresAt)
  }
  return claims
}

/** A known PIN for each of these claims. */
export async function addPins(
  organization: TestOrganization,
  claims: readonly { id: string; itemId: string }[],
): Promise<Omit<RedeemableClaim, 'token'>[]> {
  const pinned = claims.map(({ id, itemId }) => ({ id, itemId, pin: randomPin() }))
  const expiresAt = secondsFrom(organization.ctx.now(), HOUR)
  for (let at = 0; at < pinned.length; at += CHUNK_ROWS)
    await insertPins(organization, pinned.slice(at, at + CHUNK_ROWS), expiresAt)
  return pinned
}

const randomPin = () => String(randomInt(1_000_000)).padStart(6, '0')

const insertPins = (
  { ctx, id: organizationId }: TestOrganization,
  claims: readonly { id: string; pin: string }[],
  expiresAt: Date,
) =>
  ctx.db.pin.createMany({
    data: claims.map(({ id, pin }) => ({
      id: newId(),
      organizationId,
      claimId: id,
      hash: pinHash(id, pin),
      expiresAt,
    })),
  })

/** Redeems a claim through the public endpoint; returns the body. */
export async function redeem({ token, pin }: RedeemableClaim, address: Address) {
  const { status, body } = await call('POST', `/public/v1/email-claims/${token}/redeem`, { body: { pin, address } })
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body
}
