import { asDeployed } from '../../platform/auth/authenticate.ts'
import type { Context } from '../../platform/auth/context.ts'
import { notFound } from '../../core/errors.ts'
import { readHot } from '../../platform/http/hot/hot-read.ts'
import { preflightOf } from './preflight.ts'
import { publicListing } from './public-listing.ts'
import { adminListingOf, withContract } from './show-listing.ts'

/** A listing with its preflight findings. Calls the network and reads the card account. Throws `not_found`. */
export async function getListing(ctx: Context, id: string) {
  const row = await ctx.db.listing.findFirst({ where: { id }, ...withContract })
  if (!row) throw notFound()
  return { ...adminListingOf(ctx, row), preflight: await preflightOf(ctx, row) }
}

/** Any listing but a draft: those of private collections too, for whoever has the link. Throws `not_found`. */
export const getPublicListing = (ctx: Context, id: string) =>
  readHot(asDeployed(ctx), publicListing, { params: { listing_id: id } })
