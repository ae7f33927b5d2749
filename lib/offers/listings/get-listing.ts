import { asDeployed } from '../../platform/auth/authenticate.ts'
import type { Context } from '../../platform/auth/context.ts'
import { notFound } from '../../core/errors.ts'
import { preflightOf } from './preflight.ts'
import { adminListingOf, listingOf, withContract } from './show-listing.ts'

/** A listing with what would go wrong in it. Asks the chain and looks at the card account. */
export async function getListing(ctx: Context, id: string) {
  const row = await ctx.db.listing.findFirst({ where: { id }, ...withContract })
  if (!row) throw notFound()
  return { ...adminListingOf(ctx, row), preflight: await preflightOf(ctx, row) }
}

/** Any but a draft. Whoever has the link of a private collection's listing may see it. */
export async function getPublicListing(ctx: Context, id: string) {
  const row = await asDeployed(ctx).db.listing.findFirst({ where: { id }, ...withContract })
  if (!row) throw notFound()
  return listingOf(row, ctx.now())
}
