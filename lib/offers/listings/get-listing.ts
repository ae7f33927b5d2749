import { asDeployed } from '../../platform/auth/authenticate.ts'
import type { Context } from '../../platform/auth/context.ts'
import { notFound } from '../../core/errors.ts'
import type { Statement } from '../../db/statements.ts'
import { readHot } from '../../platform/http/hot/hot-read.ts'
import { preflightOf } from './preflight.ts'
import { type FlatPublicListing, listingRowOf, PUBLIC_LISTING_COLUMNS, publicListing } from './public-listing.ts'
import { ADMIN_COLUMNS, adminListingOf, type AdminListingRow, type PublicListingRow } from './show-listing.ts'

type FlatAdminListing = FlatPublicListing & Omit<AdminListingRow, keyof PublicListingRow>

const LISTING: Statement = {
  name: 'admin_listing',
  text: `SELECT ${PUBLIC_LISTING_COLUMNS}, ${ADMIN_COLUMNS}
    FROM listings l JOIN collections c ON c.organization_id = l.organization_id AND c.id = l.collection_id
    WHERE l.organization_id = $1::uuid AND l.id = $2::uuid`,
}

/** A listing with its preflight findings. Calls the network and reads the card account. Throws `not_found`. */
export async function getListing(ctx: Context, id: string) {
  const [found] = await ctx.rows<FlatAdminListing>(LISTING, ctx.organizationId, id)
  if (!found) throw notFound()
  const row = { ...found, ...listingRowOf(found) }
  return { ...adminListingOf(ctx, row), preflight: await preflightOf(ctx, row) }
}

/** Any listing but a draft: those of private collections too, for whoever has the link. Throws `not_found`. */
export const getPublicListing = (ctx: Context, id: string) =>
  readHot(asDeployed(ctx), publicListing, { params: { listing_id: id } })
