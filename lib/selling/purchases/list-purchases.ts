import { Prisma } from '../../../generated/prisma/client.ts'
import type { Input } from '../../platform/api/endpoint.ts'
import type { listPurchaseIntents as endpoint } from '../../platform/api/purchases.ts'
import type { Context } from '../../platform/auth/context.ts'
import { literal, pageOfIds } from '../../db/page-of-ids.ts'
import { byId, paginate, type PageQuery, type Range } from '../../core/page.ts'
import { countRows } from '../../records/counts/count-rows.ts'
import { totalById } from '../../records/counts/total-of.ts'
import { inFull, type PurchaseRow } from './read-purchase.ts'
import { adminPurchasesOf } from './show-purchase.ts'

type Query = Input<typeof endpoint>['query']

export function listPurchases(ctx: Context, query: Query) {
  const where = whereOf(query)
  return paginate(query, {
    key: (row: PurchaseRow) => row.id,
    find: async (range) => {
      const { where: after, ...rest } = byId(range)
      if (isRare(query)) {
        const id = { in: await rareIdsOf(ctx, query, range) }
        return ctx.db.purchaseIntent.findMany({ where: { id }, orderBy: { id: range.direction }, ...inFull })
      }
      return ctx.db.purchaseIntent.findMany({ where: { AND: [where, after] }, ...rest, ...inFull })
    },
    count: () =>
      query.item_id || query.email || query.eth_address
        ? totalById(ctx, 'purchase_intents', where, (args) => ctx.db.purchaseIntent.count(args))
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
          }),
    showAll: (rows) => adminPurchasesOf(ctx, rows),
  })
}

export const whereOf = (query: Omit<Query, keyof PageQuery>): Prisma.PurchaseIntentWhereInput => ({
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

/** Few purchases are in these states, and indexes know which. */
const isRare = ({ item_id, status, fulfillment_status }: Query): boolean =>
  !item_id &&
  ((status != null && status !== 'CONFIRMED') || (fulfillment_status != null && fulfillment_status !== 'COMPLETED'))

const { sql } = Prisma

const rareIdsOf = (ctx: Context, query: Query, range: Range): Promise<string[]> =>
  pageOfIds(
    ctx,
    'purchase_intents',
    [
      sql`organization_id = ${ctx.organizationId}::uuid`,
      ...(query.status ? [sql`status = ${literal(query.status)}`] : []),
      ...(query.fulfillment_status ? [sql`fulfillment_status = ${literal(query.fulfillment_status)}`] : []),
      ...(query.fulfillment_method ? [sql`fulfillment_method = ${literal(query.fulfillment_method)}`] : []),
      ...(query.payment_provider ? [sql`provider = ${literal(query.payment_provider)}`] : []),
      ...(query.listing_id ? [sql`listing_id = ${query.listing_id}::uuid`] : []),
      ...(query.collection_id
        ? [sql`listing_id IN (SELECT l.id FROM listings l WHERE l.collection_id = ${query.collection_id}::uuid)`]
        : []),
      ...(query.email ? [sql`buyer_email = ${query.email}`] : []),
      ...(query.eth_address ? [sql`buyer_address = ${query.eth_address}`] : []),
    ],
    range,
  )
