import { createHash } from 'node:crypto'
import type { Listing } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { env } from '../../core/env.ts'
import { AppError } from '../../core/errors.ts'
import type { Subject } from '../../ports/bot-check/bot-check.ts'
import { asksUnderPressure, type ClientFacts } from './read-clients.ts'

type Offer = Pick<Listing, 'id' | 'proofOfWork' | 'quantityOpen' | 'quantityListed'>
/** The facts of a client at a listing by which a proof of work is asked for. */
type Known = Pick<ClientFacts, 'client' | 'purchases' | 'proofs' | 'unopened'>

/**
 * Whether this client must send a proof of work for this listing now: where the seller asks for it from everybody; and
 * under pressure, while more than half of the listing is in unpaid purchases and unopened claims, or when the client
 * has come more often than is usual. Pressure never asks it of a client's first request. Nothing asks for it where the
 * operator has switched it off.
 */
export function needsProof(listing: Offer, { purchases, unopened }: Known): boolean {
  if (listing.proofOfWork || !asksUnderPressure()) return env.PROOF_OF_WORK !== 'off' && listing.proofOfWork
  if (purchases === 0n) return false
  return purchases >= env.OPEN_INTENTS_PER_CLIENT || (listing.quantityOpen + unopened) * 2n > listing.quantityListed
}

/** The proof-of-work challenge for this listing and client. */
export function challengeFor(ctx: Moment, listingId: string, known: Known) {
  const { expiresAt, ...rest } = ctx.ports.botCheck.challenge(subjectOf(listingId, known), ctx.now())
  return { ...rest, expires_at: expiresAt }
}
type Moment = Pick<Context, 'ports' | 'now'>

const subjectOf = (listingId: string, { client, proofs }: Known): Subject => ({
  listingId,
  client,
  earlier: Number(proofs),
})

/** The refusal carries a challenge, so that nobody needs to fetch one. */
export const proofRequired = (
  ctx: Moment,
  listingId: string,
  known: Known,
  detail = 'Solve the challenge and send the result as proof.',
) =>
  new AppError('proof_required', detail, {
    fields: [{ field: 'proof', code: 'required', detail }],
    extra: { challenge: challengeFor(ctx, listingId, known) },
  })

/**
 * Throws `proof_required` where a proof is needed and none, or no valid one, was sent. Returns what is stored of it, so
 * that each challenge is good for one purchase; null where none was needed. It is certain only while the client is
 * locked (`buyerLocksOf`), since another request of the same client may come in between.
 */
export function assertProved(
  ctx: Moment,
  listing: Offer,
  known: Known,
  proof: string | null,
): Uint8Array<ArrayBuffer> | null {
  if (!needsProof(listing, known)) return null
  if (proof === null) throw proofRequired(ctx, listing.id, known)
  const challengeId = ctx.ports.botCheck.accept(subjectOf(listing.id, known), proof, ctx.now())
  if (challengeId === null)
    throw proofRequired(ctx, listing.id, known, 'This proof is wrong or has run out. Solve the new challenge.')
  return new Uint8Array(createHash('sha256').update(challengeId).digest())
}
