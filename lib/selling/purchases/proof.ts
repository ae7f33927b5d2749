import { createHash } from 'node:crypto'
import { type Listing, Prisma } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { clientNetwork } from '../../core/ip-address.ts'
import { DAY, HOUR, secondsFrom } from '../../core/clock.ts'
import { env } from '../../core/env.ts'
import { AppError } from '../../core/errors.ts'
import type { Subject } from '../../ports/bot-check/bot-check.ts'

type Rules = { proofOfWork: 'auto' | 'off'; openIntentsPerClient: number }
const SETTINGS: Rules = { proofOfWork: env.PROOF_OF_WORK, openIntentsPerClient: env.OPEN_INTENTS_PER_CLIENT }

type Offer = Pick<Listing, 'id' | 'proofOfWork' | 'quantityOpen' | 'quantityListed'>

/** How often a client counts as one that comes as usual: as often in an hour as it may have purchases open. */
export const USUAL_SECONDS = HOUR
/** How long a client's proofs make its next one harder. */
export const EARLIER_SECONDS = DAY

/** Whether demand alone may ask for proofs. */
export const asksUnderPressure = ({ proofOfWork, openIntentsPerClient }: Rules = SETTINGS): boolean =>
  proofOfWork === 'auto' && openIntentsPerClient > 0

/**
 * Whether this client must send a proof of work for this listing now: where the seller asks for it from everybody; and under
 * pressure, while more than half of the listing is in unpaid purchases and unopened claims, or when the client has come more often
 * than is usual. Pressure never asks it of a client's first request. Nothing asks for it where the operator has switched it off.
 */
export async function needsProof(ctx: Context, listing: Offer, rules: Rules = SETTINGS): Promise<boolean> {
  if (!dependsOnClient(listing, rules)) return needsProofAfter(listing, 0, rules)!
  const purchases = await ctx.db.purchaseIntent.count({
    where: {
      listingId: listing.id,
      clientNetwork: clientNetwork(ctx.clientAddress),
      createdAt: { gt: secondsFrom(ctx.now(), -USUAL_SECONDS) },
    },
  })
  return (
    needsProofAfter(listing, purchases, rules) ??
    isMostly(listing, listing.quantityOpen + (await countUnopened(ctx, listing.id)))
  )
}

/**
 * The same of a client that made so many purchases of the listing in USUAL_SECONDS. null: it depends on how much of the listing is in
 * unopened claims.
 */
export function needsProofAfter(listing: Offer, purchases: number, rules: Rules = SETTINGS): boolean | null {
  if (!dependsOnClient(listing, rules)) return rules.proofOfWork !== 'off' && listing.proofOfWork
  if (purchases === 0) return false
  return purchases >= rules.openIntentsPerClient || isMostly(listing, listing.quantityOpen) ? true : null
}

const dependsOnClient = ({ proofOfWork }: Offer, rules: Rules): boolean => !proofOfWork && asksUnderPressure(rules)

const isMostly = ({ quantityListed }: Offer, units: bigint): boolean => units * 2n > quantityListed

/** Units in free claims of a listing that nobody has opened. */
async function countUnopened(ctx: Context, listingId: string): Promise<bigint> {
  const [row] = await ctx.sql<{ units: bigint }>(Prisma.sql`
    SELECT coalesce(sum(e.quantity), 0)::bigint AS units FROM email_claims e
    JOIN purchase_intents i ON i.id = e.purchase_intent_id AND i.listing_id = ${listingId}::uuid AND i.provider = 'EMAIL_CLAIM'
    WHERE e.state = 'OPEN' AND e.opened_at IS NULL AND e.last_pin_sent_at IS NULL`)
  return row!.units
}

/** Whom the challenges of this request are for. */
async function subjectOf(ctx: Context, listingId: string): Promise<Subject> {
  const client = clientNetwork(ctx.clientAddress)
  const earlier = await ctx.db.purchaseIntent.count({
    where: {
      clientNetwork: client,
      proofHash: { not: null },
      createdAt: { gt: secondsFrom(ctx.now(), -EARLIER_SECONDS) },
    },
  })
  return { listingId, client, earlier }
}

export const challengeOf = async (ctx: Context, listingId: string) => challengeFor(ctx, await subjectOf(ctx, listingId))

function challengeFor(ctx: Pick<Context, 'ports' | 'now'>, subject: Subject) {
  const { expiresAt, ...rest } = ctx.ports.botCheck.challenge(subject, ctx.now())
  return { ...rest, expires_at: expiresAt }
}

/** The refusal carries a challenge, so that nobody needs to fetch one. */
export const proofRequired = async (ctx: Context, listingId: string, detail?: string): Promise<AppError> =>
  proofError(ctx, await subjectOf(ctx, listingId), detail)

const proofError = (
  ctx: Pick<Context, 'ports' | 'now'>,
  subject: Subject,
  detail = 'Solve the challenge and send the result as proof.',
) =>
  new AppError('proof_required', detail, {
    fields: [{ field: 'proof', code: 'required', detail }],
    extra: { challenge: challengeFor(ctx, subject) },
  })

/**
 * Throws `proof_required` where a proof is needed and none, or no valid one, was sent. Returns what is stored of it, so that each
 * challenge is good for one purchase; null where none was needed. It is certain only while the client is locked (`lockBuyer`), since
 * another request of the same client may come in between.
 */
export async function assertProved(
  ctx: Context,
  listing: Offer,
  proof: string | null,
): Promise<Uint8Array<ArrayBuffer> | null> {
  return (await needsProof(ctx, listing)) ? proofHashOf(ctx, await subjectOf(ctx, listing.id), proof) : null
}

/** What is stored of a proof that is needed. Throws `proof_required` without a valid one. */
export function proofHashOf(
  ctx: Pick<Context, 'ports' | 'now'>,
  subject: Subject,
  proof: string | null,
): Uint8Array<ArrayBuffer> {
  if (proof === null) throw proofError(ctx, subject)
  const challengeId = ctx.ports.botCheck.accept(subject, proof, ctx.now())
  if (challengeId === null)
    throw proofError(ctx, subject, 'This proof is wrong or has run out. Solve the new challenge.')
  return new Uint8Array(createHash('sha256').update(challengeId).digest())
}
