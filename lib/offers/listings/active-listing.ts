import type { z } from 'zod'
import type { publicListing } from '../../platform/api/listing-record.ts'
import type { Context } from '../../platform/auth/context.ts'
import type { Statement } from '../../db/statements.ts'
import { type FlatPublicListing, listingRowOf, PUBLIC_LISTING_COLUMNS } from './public-listing.ts'
import { listingOf } from './show-listing.ts'

const ACTIVE: Statement = {
  name: 'active_listing_of_item',
  text: `SELECT ${PUBLIC_LISTING_COLUMNS}
    FROM listings l JOIN collections c ON c.organization_id = l.organization_id AND c.id = l.collection_id
    WHERE l.organization_id = $1::uuid AND l.item_id = $2::uuid AND l.status IN ('ACTIVE', 'SCHEDULED')
      AND (l.starts_at IS NULL OR l.starts_at <= $3::timestamptz) AND (l.ends_at IS NULL OR l.ends_at > $3::timestamptz)
      AND NOT is_suspended(l.organization_id, l.collection_id)
    ORDER BY l.id DESC LIMIT 1`,
}

/** The newest listing through which an item of the organization can be bought now; null when there is none. */
export async function activeListingOf(ctx: Context, itemId: string): Promise<z.output<typeof publicListing> | null> {
  const [row] = await ctx.rows<FlatPublicListing>(ACTIVE, ctx.organizationId, itemId, ctx.now())
  return row ? listingOf(listingRowOf(row), ctx.now()) : null
}
