import { z } from 'zod'
import { claimView } from '../api/public-claims.ts'
import type { Context } from '../auth/context.ts'
import { notFound } from '../core/errors.ts'
import { inactiveError, inactiveReasonOf } from './claim-state.ts'
import type { ClaimRow } from './read-claim.ts'
import { claimViewOf } from './show-claim.ts'

/** The claim of the link the caller came by, and which of its links that is. */
export function linkOf(ctx: Context): { id: string; generation: number } {
  if (ctx.actor.type !== 'claim') throw notFound()
  return ctx.actor
}

/** Goes on only with a claim that this link can still redeem. The refusal of a redeemed one carries its public state. */
export async function refuseInactive(ctx: Context, claim: ClaimRow): Promise<void> {
  const reason = inactiveReasonOf(claim, ctx.now(), linkOf(ctx).generation)
  if (reason === null) return
  throw inactiveError(reason, reason === 'CLAIMED' ? z.encode(claimView, await claimViewOf(ctx, claim)) : undefined)
}
