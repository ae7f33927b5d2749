import type { z } from 'zod'
import type { publicListing } from '../../platform/api/listing-record.ts'
import type { Context } from '../../platform/auth/context.ts'
import type { Statement } from '../../db/statements.ts'
import { type FlatPublicListing, listingRowOf, PUBLIC_LISTING_COLUMNS } from './public-listing.ts'
import { listingOf } from './show-listing.ts'

/**
 * A statement for the newest listing through which an item can be bought.
 * @param item its organization and its id
 * @param at the moment
 */
export const activeListingIn = (name: string, item: string, at: string): Statement => ({
  name,
  text: `SELECT ${PUBLIC_LISTING_COLUMNS}
    FROM listings l JOIN collections c ON c.organization_id = l.organization_id AND c.id = l.collection_id
    WHERE (l.organization_id, l.item_id) = ${item} AND l.status IN ('ACTIVE', 'SCHEDULED')
      AND (l.starts_at IS NULL OR l.starts_at <= ${at}::timestamptz)
      AND (l.ends_at IS NULL OR l.ends_at > ${at}::timestamptz)
      AND NOT is_suspended(l.organization_id, l.collection_id)
    ORDER BY l.id DESC LIMIT 1`,
})

const ACTIVE = activeListingIn('active_listing_of_item', '($1::uuid, $2::uuid)', '$3')

/** The newest listing through which an item of the organization can be bought now; null when there is none. */
export async function activeListingOf(ctx: Context, itemId: string): Promise<z.output<typeof publicListing> | null> {
  const [row] = await ctx.rows<FlatPublicListing>(ACTIVE, ctx.organizationId, itemId, ctx.now())
  return row ? shownListingOf(row, ctx.now()) : null
}

export const shownListingOf = (row: FlatPublicListing, at: Date): z.output<typeof publicListing> =>
  listingOf(listingRowOf(row), at)
