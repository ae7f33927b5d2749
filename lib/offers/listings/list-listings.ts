import type { Prisma } from '../../../generated/prisma/client.ts'
import type { Input } from '../../platform/api/endpoint.ts'
import type { listListings as adminList, listPublicListings as publicList } from '../../platform/api/listings.ts'
import type { Context } from '../../platform/auth/context.ts'
import { byId, paginate } from '../../core/paginate.ts'
import { countRows } from '../../records/counts/count-rows.ts'
import { totalById } from '../../records/counts/total-of.ts'
import { countShownListings } from './count-shown-listings.ts'
import { type FlatShopListing, SHOP_LISTINGS, shopRowOf } from './public-listing.ts'
import { adminListingOf, type ListingRow, shopListingOf, type ShopListingRow, withContract } from './show-listing.ts'

type Status = NonNullable<Input<typeof adminList>['query']['status']>

export function listListings(ctx: Context, query: Input<typeof adminList>['query']) {
  const where = { AND: [filterOf(query), query.status ? inStatus(query.status, ctx.now()) : {}] }
  return paginate(query, {
    list: ['listings', ctx.organizationId],
    key: (row: ListingRow) => row.id,
    find: (range) => {
      const { where: after, ...rest } = byId(range)
      return ctx.db.listing.findMany({ where: { AND: [where, after] }, ...rest, ...withContract })
    },
    count: () =>
      query.item_id || query.campaign_id || (query.status && !isFinal(query.status))
        ? totalById(ctx, 'listings', where, (args) => ctx.db.listing.count(args))
        : countRows(ctx, { table: 'listings', parentId: query.collection_id, traits: { status: query.status } }),
    show: (row) => adminListingOf(ctx, row),
  })
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
