import { Prisma } from '../../../generated/prisma/client.ts'
import type { Input } from '../../platform/api/endpoint.ts'
import { INTENT_STATUSES, type listPurchaseIntents as endpoint } from '../../platform/api/purchases.ts'
import type { Context } from '../../platform/auth/context.ts'
import { literal, pageOfIds } from '../../db/page-of-ids.ts'
import { placesByColumns, placesByParts, type SortColumns } from '../../db/sorted-ids.ts'
import type { Statement, Value } from '../../db/statements.ts'
import type { PageQuery, Sorted, Total } from '../../core/page.ts'
import { type LongRange, paginate, type Place, type Range, sortedRows } from '../../core/paginate.ts'
import { countRows } from '../../records/counts/count-rows.ts'
import { totalWhere } from '../../records/counts/total-of.ts'
import { findPurchases, type FoundPurchase } from './find-purchases.ts'
import { adminViewOf } from './show-purchase.ts'

type Query = Input<typeof endpoint>['query']
type SortedQuery = Query & Sorted<'PRICE' | 'STATE'>
type Filter = Omit<Query, keyof PageQuery>

const { sql } = Prisma

export const listPurchases = (ctx: Context, query: SortedQuery) =>
  paginate(query, {
    list: ['purchase_intents', ctx.organizationId],
    ...orderedBy(ctx, query),
    count: () => countPurchases(ctx, query),
    show: ({ row, timeline }) => adminViewOf(ctx, row, timeline),
  })

function orderedBy(ctx: Context, { order_by: sort, ...query }: SortedQuery) {
  const id = ({ row }: FoundPurchase) => row.id
  if (sort)
    return sortedRows({
      id,
      read: (ids) => findPurchases(ctx, ids),
      findPlaces: (range) => placesOf(ctx, query, sort, range),
    })
  return {
    key: id,
    find: async (range: Range, total: () => Promise<number | Total>) =>
      findPurchases(ctx, await idsOf(ctx, query, range, total)),
  }
}

const PRICE: SortColumns = [
  { value: sql`currency`, type: 'text' },
  { value: sql`total`, type: 'numeric' },
]

function placesOf(ctx: Context, query: Query, sort: 'PRICE' | 'STATE', range: LongRange): Promise<Place[]> {
  const { status, ...others } = query
  const conditions = [ownOf(ctx), ...conditionsOf(sort === 'STATE' ? others : query)]
  const rows = { table: 'purchase_intents', as: 'purchase_intents', conditions }
  if (sort === 'PRICE') return placesByColumns(ctx, rows, PRICE, range)
  const parts = INTENT_STATUSES.map((one, rank) => ({ rank, status: one, conditions: [sql`status = ${literal(one)}`] }))
  return placesByParts(ctx, rows, status ? parts.filter((part) => part.status === status) : parts, range)
}

async function countPurchases(ctx: Context, query: Filter): Promise<number | Total> {
  const conditions = conditionsOf(query)
  if (query.item_id && conditions.length === 1)
    return totalWhere(ctx, 'purchase_units', [ownOf(ctx), sql`item_id = ${query.item_id}::uuid`])
  if (query.item_id || query.email || query.eth_address)
    return (await countOfItem(ctx, query)) ?? totalWhere(ctx, 'purchase_intents', [ownOf(ctx), ...conditions])
  return countRows(ctx, {
    table: 'purchase_intents',
    parentId: query.listing_id,
    collectionId: query.collection_id,
    traits: {
      status: query.status,
      fulfillmentStatus: query.fulfillment_status,
      fulfillmentMethod: query.fulfillment_method,
      provider: query.payment_provider,
    },
  })
}

const OF_ITEM: Statement = {
  name: 'count_purchases_of_item',
  text: `SELECT (SELECT count(*) FROM purchase_units u
        WHERE u.organization_id = $1::uuid AND u.item_id = $2::uuid) AS units,
      EXISTS (SELECT 1 FROM listings l WHERE l.organization_id = $1::uuid AND l.item_id IS NULL
        AND l.collection_id = (SELECT i.collection_id FROM items i
          WHERE i.organization_id = $1::uuid AND i.id = $2::uuid)) AS "isDrawn",
      coalesce(sum(amount), 0)::bigint AS purchases,
      coalesce(sum(amount) FILTER (WHERE ($3::text IS NULL OR traits[1] = $3::text)
        AND ($4::text IS NULL OR traits[2] = $4::text) AND ($5::text IS NULL OR traits[3] = $5::text)
        AND ($6::text IS NULL OR traits[4] = $6::text)), 0)::bigint AS total
    FROM row_counts WHERE table_name = 'purchase_intents' AND organization_id = $1::uuid
      AND parent_id = ANY (ARRAY(SELECT l.id FROM listings l
          WHERE l.organization_id = $1::uuid AND l.item_id = $2::uuid))`,
}

/**
 * How many of an item's purchases are in some state, by the counts of the item's own listings; null where these don't
 * tell: the item may have been drawn for a listing of its collection, or a purchase that was recovered has no units.
 */
async function countOfItem(ctx: Context, query: Filter): Promise<number | null> {
  const { item_id, email, eth_address, listing_id, collection_id } = query
  if (!item_id || email || eth_address || listing_id || collection_id) return null
  const [row] = await ctx.rows<{ units: bigint; isDrawn: boolean; purchases: bigint; total: bigint }>(
    OF_ITEM,
    ctx.organizationId,
    item_id,
    query.status || null,
    query.fulfillment_status || null,
    query.fulfillment_method || null,
    query.payment_provider || null,
  )
  const { units, isDrawn, purchases, total } = row!
  return units === purchases && !isDrawn ? Number(total) : null
}

export const whereOf = (query: Filter): Prisma.PurchaseIntentWhereInput => ({
  ...(query.item_id && { units: { some: { itemId: query.item_id } } }),
  ...(query.collection_id && { listing: { collectionId: query.collection_id } }),
  ...(query.listing_id && { listingId: query.listing_id }),
  ...(query.status && { status: query.status }),
  ...(query.email && { buyerEmail: query.email }),
  ...(query.eth_address && { buyerAddress: query.eth_address }),
  ...(query.fulfillment_status && { fulfillmentStatus: query.fulfillment_status }),
  ...(query.fulfillment_method && { fulfillmentMethod: query.fulfillment_method }),
  ...(query.payment_provider && { provider: query.payment_provider }),
})

/** `total` gives how many there are on all pages. Where a counter knows of none, no purchase is read. */
async function idsOf(
  ctx: Context,
  query: Filter,
  range: Range,
  total: () => Promise<number | Total>,
): Promise<string[]> {
  const conditions = conditionsOf(query)
  if (conditions.length > 0 && (await total()) === 0) return []
  const { collection_id } = query
  const listingIds = collection_id && conditions.length === 1 ? await fewListingsOf(ctx, collection_id) : null
  return listingIds
    ? pageOfListings(ctx, listingIds, range)
    : pageOfIds(ctx, 'purchase_intents', [ownOf(ctx), ...conditions], range)
}

const ownOf = (ctx: Context): Prisma.Sql => sql`organization_id = ${ctx.organizationId}::uuid`

const conditionsOf = (query: Filter): Prisma.Sql[] => [
  ...(query.status ? [sql`status = ${literal(query.status)}`] : []),
  ...(query.fulfillment_status ? [sql`fulfillment_status = ${literal(query.fulfillment_status)}`] : []),
  ...(query.fulfillment_method ? [sql`fulfillment_method = ${literal(query.fulfillment_method)}`] : []),
  ...(query.payment_provider ? [sql`provider = ${literal(query.payment_provider)}`] : []),
  ...(query.listing_id ? [sql`listing_id = ${query.listing_id}::uuid`] : []),
  // Said in this way, purchases are read in their order, and each is looked for among the collection's listings.
  ...(query.collection_id
    ? [sql`(listing_id IN (SELECT l.id FROM listings l WHERE l.collection_id = ${query.collection_id}::uuid)) IS TRUE`]
    : []),
  ...(query.item_id
    ? [sql`id IN (SELECT u.intent_id FROM purchase_units u WHERE u.item_id = ${query.item_id}::uuid)`]
    : []),
  ...(query.email ? [sql`buyer_email = ${query.email}`] : []),
  ...(query.eth_address ? [sql`buyer_address = ${query.eth_address}`] : []),
]

/** Of so many listings, the newest purchases of each are read. */
const FEW_LISTINGS = 100

const LISTINGS: Statement = {
  name: 'listings_of_collection',
  text: `SELECT id FROM listings
    WHERE organization_id = $1::uuid AND collection_id = $2::uuid LIMIT ${FEW_LISTINGS + 1}`,
}

/** The listings of a collection; null where they are many. */
async function fewListingsOf(ctx: Context, collectionId: string): Promise<string[] | null> {
  const rows = await ctx.rows<{ id: string }>(LISTINGS, ctx.organizationId, collectionId)
  return rows.length > FEW_LISTINGS ? null : rows.map(({ id }) => id)
}

/**
 * The ids of a page of the purchases of some listings: of each, as many as the page takes are read from its index. The
 * listing is a range and stands in the order, so that no index gives it but this one.
 */
async function pageOfListings(
  ctx: Context,
  listingIds: string[],
  { after, direction, take }: Range,
): Promise<string[]> {
  const [beyond, order] =
    direction === 'asc' ? [Prisma.raw('>'), Prisma.raw('ASC')] : [Prisma.raw('<'), Prisma.raw('DESC')]
  const start = after === undefined ? Prisma.empty : sql`AND p.id ${beyond} ${after}::uuid`
  const { text, values } = sql`SELECT page.id::text FROM unnest(${listingIds}::uuid[]) AS l (id) CROSS JOIN LATERAL (
      SELECT p.id FROM purchase_intents p
      WHERE p.organization_id = ${ctx.organizationId}::uuid AND p.listing_id >= l.id AND p.listing_id <= l.id ${start}
      ORDER BY p.listing_id ${order}, p.id ${order} LIMIT ${take}) page
    ORDER BY page.id ${order} LIMIT ${take}`
  const found = await ctx.rows<{ id: string }>({ name: '', text }, ...(values as Value[]))
  return found.map(({ id }) => id)
}
