import type { Input, Output } from '../../platform/api/endpoint.ts'
import type { getAddressChallenge as endpoint } from '../../platform/api/purchase-challenges.ts'
import type { Context } from '../../platform/auth/context.ts'
import { newAddressChallenge } from './address-challenge.ts'
import { getUnprovedPurchase } from './unproved-purchase.ts'

/** The typed data that the address of an open voucher purchase signs to close it or to take it over. */
export async function getAddressChallenge(
  anyone: Context,
  id: string,
  { action }: Input<typeof endpoint>['query'],
): Promise<Output<typeof endpoint>> {
  const { ctx, purchase, address } = await getUnprovedPurchase(anyone, id)
  return newAddressChallenge({ listing: purchase.listing, address, action: action ?? 'TAKE_OVER' }, ctx.now())
}
