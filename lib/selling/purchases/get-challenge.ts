import type { Output } from '../../platform/api/endpoint.ts'
import type { getChallenge as endpoint } from '../../platform/api/purchase-challenges.ts'
import { asDeployed, buyerContext } from '../../platform/auth/authenticate.ts'
import type { Context } from '../../platform/auth/context.ts'
import { notFound } from '../../core/errors.ts'
import { challengeFor, needsProof } from './proof.ts'
import { readClient } from './read-clients.ts'

/** The proof-of-work challenge for this listing and client, and whether it is needed now. */
export async function getChallenge(anyone: Context, listingId: string): Promise<Output<typeof endpoint>> {
  const listing = await asDeployed(anyone).db.listing.findFirst({ where: { id: listingId } })
  if (!listing) throw notFound()
  const ctx = buyerContext(anyone, listing.organizationId)
  const client = await readClient(ctx, listing)
  return { required: needsProof(listing, client), ...challengeFor(ctx, listingId, client) }
}
