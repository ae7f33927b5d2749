import { createHash } from 'node:crypto'
import type { Listing, PaymentProvider } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { env } from '../../core/env.ts'
import { AppError } from '../../core/errors.ts'

type Rules = { proofOfWork: 'auto' | 'off'; openIntentsPerClient: number }
const SETTINGS: Rules = { proofOfWork: env.PROOF_OF_WORK, openIntentsPerClient: env.OPEN_INTENTS_PER_CLIENT }

/**
 * Whether a buyer must send a proof of work: where the seller asks for it; for claims by mail to anybody; and for
 * everything while more than half of a listing is in unpaid holds, unless the operator set no limit on open purchases.
 */
export function needsProof(
  listing: Pick<Listing, 'proofOfWork' | 'quantityOpen' | 'quantityListed'>,
  provider: PaymentProvider,
  { proofOfWork, openIntentsPerClient }: Rules = SETTINGS,
): boolean {
  if (proofOfWork === 'off') return false
  if (listing.proofOfWork || provider === 'EMAIL_CLAIM') return true
  return openIntentsPerClient > 0 && listing.quantityOpen * 2n > listing.quantityListed
}

export function challengeOf(ctx: Pick<Context, 'ports' | 'now'>, listingId: string) {
  const { expiresAt, ...rest } = ctx.ports.botCheck.challenge(listingId, ctx.now())
  return { ...rest, expires_at: expiresAt }
}

/** The refusal carries a challenge, so that nobody needs to fetch one. */
export function proofRequired(
  ctx: Pick<Context, 'ports' | 'now'>,
  listingId: string,
  detail = 'Solve the challenge and send the result as proof.',
): AppError {
  return new AppError('proof_required', detail, {
    fields: [{ field: 'proof', code: 'required', detail }],
    extra: { challenge: challengeOf(ctx, listingId) },
  })
}

/** Each proof is good for one purchase: this hash is stored with it. */
export const proofHashOf = (proof: string) => new Uint8Array(createHash('sha256').update(proof).digest())
