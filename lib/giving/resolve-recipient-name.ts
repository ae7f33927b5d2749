import type { Input, Output } from '../platform/api/endpoint.ts'
import type { resolveRecipientName as endpoint } from '../platform/api/public-claims.ts'
import type { Context } from '../platform/auth/context.ts'
import { AppError } from '../core/errors.ts'
import { ChainUnavailable } from '../ports/chain/chain.ts'
import { readRedeemable } from './redemptions/read-redeemable.ts'

/** The address that a name stands for, for whoever can redeem a claim to it. It calls nodes of Ethereum, and gateways that the name's contract names. */
export async function resolveRecipientName(
  ctx: Context,
  { name }: Input<typeof endpoint>['body'],
): Promise<Output<typeof endpoint>> {
  await readRedeemable(ctx)
  try {
    return { address: (await ctx.ports.names?.addressOf(name.trim())) ?? null }
  } catch (error) {
    if (!(error instanceof ChainUnavailable)) throw error
    throw new AppError('unavailable', 'Names can’t be looked up right now. Paste the address itself, or try again.', {
      retryAfterSeconds: 60,
    })
  }
}
