import type { Input, Output } from '../../platform/api/endpoint.ts'
import type { getChallenge as endpoint } from '../../platform/api/purchases.ts'
import { asDeployed } from '../../platform/auth/authenticate.ts'
import type { Context } from '../../platform/auth/context.ts'
import { notFound } from '../../core/errors.ts'
import { challengeOf, needsProof } from './proof.ts'

/** The proof-of-work challenge for this listing, and whether it is needed now. */
export async function getChallenge(
  ctx: Context,
  listingId: string,
  { provider }: Input<typeof endpoint>['query'],
): Promise<Output<typeof endpoint>> {
  const listing = await asDeployed(ctx).db.listing.findFirst({ where: { id: listingId } })
  if (!listing) throw notFound()
  const chosen = provider ?? listing.paymentProviders[0]!
  return { required: needsProof(listing, chosen), ...challengeOf(ctx, listingId) }
}
