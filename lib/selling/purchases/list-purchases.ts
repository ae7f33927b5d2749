import { Prisma } from '../../../generated/prisma/client.ts'
import type { Input } from '../../platform/api/endpoint.ts'
import type { listPurchaseIntents as endpoint } from '../../platform/api/purchases.ts'
import type { Context } from '../../platform/auth/context.ts'
import { literal, pageOfIds } from '../../db/page-of-ids.ts'
import type { PageQuery, Total } from '../../core/page.ts'
import { paginate, type Range } from '../../core/paginate.ts'
import { countRows } from '../../records/counts/count-rows.ts'
import { totalById } from '../../records/counts/total-of.ts'
import { findPurchases, type FoundPurchase } from './find-purchases.ts'
import { adminViewOf } from './show-purchase.ts'

type Query = Input<typeof endpoint>['query']
type Filter = Omit<Query, keyof PageQuery>

export const listPurchases = (ctx: Context, query: Query) =>
  paginate(query, {
    list: ['purchase_intents', ctx.organizationId],
    key: ({ row }: FoundPurchase) => row.id,
    find: async (range, total) => findPurchases(ctx, await idsOf(ctx, query, range, total)),
    count: () => countPurchases(ctx, query),
    show: ({ row, timeline }) => adminViewOf(ctx, row, timeline),
  })

const countPurchases = (ctx: Context, query: Filter): Promise<number | Total> =>
  query.item_id || query.email || query.eth_address
    ? totalById(ctx, 'purchase_intents', whereOf(query), (args) => ctx.db.purchaseIntent.count(args))
    : countRows(ctx, {
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

const { sql } = Prisma

/** `total` gives how many there are on all pages. Where a counter knows of none, no purchase is read. */
async function idsOf(
  ctx: Context,
  query: Filter,
  range: Range,
  total: () => Promise<number | Total>,
): Promise<string[]> {
  const conditions = [
    ...(query.status ? [sql`status = ${literal(query.status)}`] : []),
    ...(query.fulfillment_status ? [sql`fulfillment_status = ${literal(query.fulfillment_status)}`] : []),
    ...(query.fulfillment_method ? [sql`fulfillment_method = ${literal(query.fulfillment_method)}`] : []),
    ...(query.payment_provider ? [sql`provider = ${literal(query.payment_provider)}`] : []),
    ...(query.listing_id ? [sql`listing_id = ${query.listing_id}::uuid`] : []),
    ...(query.collection_id
      ? [sql`listing_id IN (SELECT l.id FROM listings l WHERE l.collection_id = ${query.collection_id}::uuid)`]
      : []),
    ...(query.item_id
      ? [sql`id IN (SELECT u.intent_id FROM purchase_units u WHERE u.item_id = ${query.item_id}::uuid)`]
      : []),
    ...(query.email ? [sql`buyer_email = ${query.email}`] : []),
    ...(query.eth_address ? [sql`buyer_address = ${query.eth_address}`] : []),
  ]
  if (conditions.length > 0 && (await total()) === 0) return []
  return pageOfIds(ctx, 'purchase_intents', [sql`organization_id = ${ctx.organizationId}::uuid`, ...conditions], range)
}
