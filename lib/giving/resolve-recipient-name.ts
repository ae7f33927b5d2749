import type { Input, Output } from '../platform/api/endpoint.ts'
import type { resolveRecipientName as endpoint } from '../platform/api/public-claims.ts'
import type { Context } from '../platform/auth/context.ts'
import { resolveName } from '../offers/networks/resolve-name.ts'
import { readRedeemable } from './redemptions/read-redeemable.ts'

/** The address that a name stands for, for whoever can redeem a claim to it. */
export async function resolveRecipientName(
  ctx: Context,
  body: Input<typeof endpoint>['body'],
): Promise<Output<typeof endpoint>> {
  await readRedeemable(ctx)
  return resolveName(ctx, body)
}
