import type { Prisma } from '../../../generated/prisma/client.ts'
import type { Input } from '../../platform/api/endpoint.ts'
import type { listListings as adminList, listPublicListings as publicList } from '../../platform/api/listings.ts'
import type { Context } from '../../platform/auth/context.ts'
import type { List } from '../../core/cursor.ts'
import type { PageQuery, Total } from '../../core/page.ts'
import { byId, paginate, type Range } from '../../core/paginate.ts'
import { countRows } from '../../records/counts/count-rows.ts'
import { totalById } from '../../records/counts/total-of.ts'
import { adminListingOf, listingOf, type ListingRow, withContract } from './show-listing.ts'

type Status = NonNullable<Input<typeof adminList>['query']['status']>

export const listListings = (ctx: Context, query: Input<typeof adminList>['query']) =>
  pageOfListings(
    ctx,
    ['listings', ctx.organizationId],
    query,
    { AND: [filterOf(query), query.status ? inStatus(query.status, ctx.now()) : {}] },
    (row) => adminListingOf(ctx, row),
    query.item_id || query.campaign_id || query.status
      ? undefined
      : () => countRows(ctx, { table: 'listings', parentId: query.collection_id }),
  )

/** Listings of one organization's public collections, without drafts. */
export const listPublicListings = (ctx: Context, query: Input<typeof publicList>['query']) =>
  pageOfListings(
    ctx,
    ['public_listings', null],
    query,
    { organizationId: query.organization_id, ...filterOf(query) },
    (row) => listingOf(row, ctx.now()),
  )

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

const pageOfListings = <Out>(
  ctx: Context,
  list: List,
  query: PageQuery,
  where: Prisma.ListingWhereInput,
  show: (row: ListingRow) => Out,
  count: () => Promise<number | Total> = () => totalById(ctx, 'listings', where, (args) => ctx.db.listing.count(args)),
) =>
  paginate(query, {
    list,
    key: (row: ListingRow) => row.id,
    find: (range: Range) => {
      const { where: after, ...rest } = byId(range)
      return ctx.db.listing.findMany({ where: { AND: [where, after] }, ...rest, ...withContract })
    },
    count,
    show,
  })
