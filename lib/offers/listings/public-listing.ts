import type { Output } from '../../platform/api/endpoint.ts'
import type { getPublicListing as endpoint } from '../../platform/api/listings.ts'
import { type HotRead, oneRow } from '../../platform/http/hot/hot-read.ts'
import { columns } from '../../db/columns.ts'
import type { Statement } from '../../db/statements.ts'
import { HAS_BUDGET, SALE_FACTS } from './obstacles.ts'
import {
  LISTING_COLUMNS,
  PICTURE_COLUMNS,
  PICTURED_COLUMNS,
  type PublicListingRow,
  type ShopListingRow,
  shopListingOf,
} from './show-listing.ts'

/** The columns of `listings l` and `collections c` that the public view of a listing shows. */
export const PUBLIC_LISTING_COLUMNS = `${LISTING_COLUMNS}, l.payment_providers::text[] AS "paymentProviders",
  l.price::text AS price, ${columns('c', 'Collection', ['contractAddress'])}`

/** A listing and its collection in one row: a price with all its digits. */
export type FlatPublicListing = Omit<PublicListingRow, 'collection' | 'price'> &
  PublicListingRow['collection'] & { price: string }

export const listingRowOf = (row: FlatPublicListing): PublicListingRow => ({
  ...row,
  price: { toFixed: () => row.price },
  collection: row,
})

/** When a listing's status, or the reason why nobody can buy, changes by the clock. */
const momentsOfListings = (rows: readonly FlatShopListing[]): (Date | null)[] =>
  rows.flatMap(({ startsAt, endsAt, facts: { promisesFrom } }) => [
    startsAt,
    endsAt,
    promisesFrom === null ? null : new Date(promisesFrom),
  ])

/** A listing as a shop shows it, in one row. */
export type FlatShopListing = FlatPublicListing &
  Omit<ShopListingRow, keyof PublicListingRow> &
  ShopListingRow['collection']

const SHOP_COLUMNS = `${PUBLIC_LISTING_COLUMNS}, i.id IS NOT NULL AS "isItem",
  jsonb_build_object('title', i.attributes -> 'title', 'image_url', i.attributes -> 'image_url') AS attributes,
  ${PICTURE_COLUMNS}, ${PICTURED_COLUMNS}`
const SHOP_TABLES = `FROM listings l JOIN collections c ON c.id = l.collection_id LEFT JOIN items i ON i.id = l.item_id
  CROSS JOIN LATERAL ${SALE_FACTS} AS sale(facts)`

/**
 * A page of an organization's listings in public collections, read together: item, collection and campaign may be null,
 * as the id that it begins after.
 */
export const SHOP_LISTINGS: Statement = {
  name: 'shop_listings',
  text: `SELECT ${SHOP_COLUMNS}, s.suspended, s.facts
    FROM shop_listings($1::uuid, $2::uuid, $3::uuid, $4::uuid, $5::uuid, $6::boolean, $7::int, ${HAS_BUDGET}) s,
      LATERAL (SELECT (s.l).*) l, LATERAL (SELECT (s.c).*) c, LATERAL (SELECT (s.i).*) i`,
}

export const shopRowOf = (row: FlatShopListing): ShopListingRow => ({ ...row, ...listingRowOf(row), collection: row })

/** Listings but drafts, of deployed collections. */
export const publicListing: HotRead<{ params: { listing_id: string } }, FlatShopListing, Output<typeof endpoint>> = {
  ...oneRow('public_listing', {
    key: { id: 'uuid' },
    from: `${SHOP_TABLES} WHERE l.id = asked.id AND l.status <> 'DRAFT' AND c.deployment_status = 'SUCCESS'`,
    version: 'l.xmin, c.xmin, i.xmin, is_suspended(l.organization_id, l.collection_id), sale.facts',
    columns: `${SHOP_COLUMNS}, is_suspended(l.organization_id, l.collection_id) AS suspended, sale.facts`,
  }),
  keyOf: ({ params }) => [params.listing_id],
  show: ([row], _, moment) => shopListingOf(moment, shopRowOf(row!)),
  momentsOf: momentsOfListings,
}
