import { Prisma } from '../../../generated/prisma/client.ts'
import type { Input } from '../../platform/api/endpoint.ts'
import type { listListings as adminList, listPublicListings as publicList } from '../../platform/api/listings.ts'
import type { Context } from '../../platform/auth/context.ts'
import type { Sorted } from '../../core/page.ts'
import { byId, type LongRange, paginate, type Place, type Range, sortedRows } from '../../core/paginate.ts'
import { placesByColumns, type SortColumns } from '../../db/sorted-ids.ts'
import { LISTING_STATUSES } from '../../platform/api/listing-record.ts'
import { countRows } from '../../records/counts/count-rows.ts'
import { totalById } from '../../records/counts/total-of.ts'
import { countShownListings } from './count-shown-listings.ts'
import { type FlatShopListing, SHOP_LISTINGS, shopRowOf } from './public-listing.ts'
import { adminListingOf, type ListingRow, shopListingOf, type ShopListingRow, withContract } from './show-listing.ts'

const { sql } = Prisma

type Status = NonNullable<Input<typeof adminList>['query']['status']>

type SortedQuery = Input<typeof adminList>['query'] & Sorted<'PRICE' | 'STATE'>

export function listListings(ctx: Context, query: SortedQuery) {
  const where = { AND: [filterOf(query), query.status ? inStatus(query.status, ctx.now()) : {}] }
  return paginate(query, {
    list: ['listings', ctx.organizationId],
    ...(query.order_by
      ? sortedRows({
          id: ({ id }: ListingRow) => id,
          read: (ids) => ctx.db.listing.findMany({ where: { id: { in: ids } }, ...withContract }),
          findPlaces: (range) => placesOf(ctx, query, range),
        })
      : {
          key: ({ id }: ListingRow) => id,
          find: (range: Range) => {
            const { where: after, ...rest } = byId(range)
            return ctx.db.listing.findMany({ where: { AND: [where, after] }, ...rest, ...withContract })
          },
        }),
    count: () =>
      query.item_id || query.campaign_id || (query.status && !isFinal(query.status))
        ? totalById(ctx, 'listings', where, (args) => ctx.db.listing.count(args))
        : countRows(ctx, { table: 'listings', parentId: query.collection_id, traits: { status: query.status } }),
    show: (row) => adminListingOf(ctx, row),
  })
}

const PRICE: SortColumns = [
  { value: sql`currency`, type: 'text' },
  { value: sql`price`, type: 'numeric' },
]

function placesOf(ctx: Context, { order_by, status, ...filter }: SortedQuery, range: LongRange): Promise<Place[]> {
  const now = ctx.now()
  const shown = sql`CASE WHEN status NOT IN ('SCHEDULED', 'ACTIVE', 'PAUSED') THEN status::text
    WHEN ends_at <= ${now}::timestamptz THEN 'EXPIRED' WHEN status = 'PAUSED' THEN 'PAUSED'
    WHEN starts_at > ${now}::timestamptz THEN 'SCHEDULED' ELSE 'ACTIVE' END`
  const rank = sql`array_position(${[...LISTING_STATUSES]}::text[], ${shown})`
  const conditions = [
    sql`organization_id = ${ctx.organizationId}::uuid`,
    ...(filter.item_id ? [sql`item_id = ${filter.item_id}::uuid`] : []),
    ...(filter.collection_id ? [sql`collection_id = ${filter.collection_id}::uuid`] : []),
    ...(filter.campaign_id ? [sql`campaign_id = ${filter.campaign_id}::uuid`] : []),
    ...(status ? [sql`${shown} = ${status}`] : []),
  ]
  const columns: SortColumns = order_by === 'STATE' ? [{ value: rank, type: 'numeric' }] : PRICE
  return placesByColumns(ctx, { table: 'listings', as: 'listings', conditions }, columns, range)
}

/** Listings of one organization's public collections, without drafts. */
export function listPublicListings(ctx: Context, query: Input<typeof publicList>['query']) {
  const where = { organizationId: query.organization_id, ...filterOf(query) }
  return paginate(query, {
    list: ['public_listings', null],
    key: (row: ShopListingRow) => row.id,
    find: async ({ after, direction, take }) => {
      const { organization_id, item_id, collection_id, campaign_id } = query
      const filters = [organization_id, item_id || null, collection_id || null, campaign_id || null]
      const rows = await ctx.rows<FlatShopListing>(SHOP_LISTINGS, ...filters, after ?? null, direction === 'asc', take)
      return rows.map(shopRowOf)
    },
    count: () =>
      query.item_id || query.campaign_id
        ? totalById(ctx, 'listings', where, (args) => ctx.db.listing.count(args))
        : countShownListings(ctx, query.organization_id, query.collection_id ?? null),
    show: (row) => shopListingOf(ctx, row),
  })
}

type Filter = {
  item_id?: string | null | undefined
  collection_id?: string | null | undefined
  campaign_id?: string | null | undefined
}

const filterOf = ({ item_id, collection_id, campaign_id }: Filter): Prisma.ListingWhereInput => ({
  ...(item_id && { itemId: item_id }),
  ...(collection_id && { collectionId: collection_id }),
  ...(campaign_id && { campaignId: campaign_id }),
})

/** Statuses that `statusOf` shows as they are stored, whatever the time is. */
const isFinal = (status: Status): boolean => status === 'DRAFT' || status === 'COMPLETE' || status === 'CANCELLED'

/** `statusOf` as a database filter. */
function inStatus(status: Status, now: Date): Prisma.ListingWhereInput {
  const ended = { endsAt: { lte: now } }
  const running = { NOT: ended }
  const waiting = { startsAt: { gt: now } }
  switch (status) {
    case 'SCHEDULED':
      return {
        status: { in: ['SCHEDULED', 'ACTIVE'] },
        AND: [waiting, { OR: [{ endsAt: null }, { endsAt: { gt: now } }] }],
      }
    case 'ACTIVE':
      return {
        status: { in: ['SCHEDULED', 'ACTIVE'] },
        AND: [
          { OR: [{ startsAt: null }, { startsAt: { lte: now } }] },
          { OR: [{ endsAt: null }, { endsAt: { gt: now } }] },
        ],
      }
    case 'PAUSED':
      return { status, OR: [{ endsAt: null }, running] }
    case 'EXPIRED':
      return { OR: [{ status }, { status: { in: ['SCHEDULED', 'ACTIVE', 'PAUSED'] }, ...ended }] }
    case 'DRAFT':
    case 'COMPLETE':
    case 'CANCELLED':
      return { status }
  }
}
