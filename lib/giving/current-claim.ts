import type { EmailClaim } from '../../generated/prisma/client.ts'
import type { Actor, Context } from '../platform/auth/context.ts'
import { notFound } from '../core/errors.ts'
import { inactiveError, inactiveReasonOf } from './claim-state.ts'

/** The claim of the caller's link, and the generation of that link. */
export function linkOf(ctx: Context): Extract<Actor, { type: 'claim' }> {
  if (ctx.actor.type !== 'claim') throw notFound()
  return ctx.actor
}

/** Throws unless this link can still redeem the claim. */
export function assertActive(
  ctx: Context,
  claim: Pick<EmailClaim, 'state' | 'expiresAt' | 'generation' | 'linkWrongPins' | 'declinedAt'>,
): void {
  const reason = inactiveReasonOf(claim, ctx.now(), linkOf(ctx).generation)
  if (reason !== null) throw inactiveError(reason, claim)
}
