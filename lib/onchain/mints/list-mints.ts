import { Prisma } from '../../../generated/prisma/client.ts'
import type { Input } from '../../platform/api/endpoint.ts'
import type { listMintRequests as endpoint } from '../../platform/api/mint-requests.ts'
import type { Context } from '../../platform/auth/context.ts'
import { isNone } from '../../core/page.ts'
import { pageOfIds } from '../../db/page-of-ids.ts'
import { byId, paginate } from '../../core/paginate.ts'
import { countRows } from '../../records/counts/count-rows.ts'
import { totalWhere } from '../../records/counts/total-of.ts'
import { type MintRow, mintOf, withCarrier } from './show-mint.ts'

const { sql } = Prisma

export function listMints(ctx: Context, query: Input<typeof endpoint>['query']) {
  return paginate(query, {
    list: ['mint_requests', ctx.organizationId],
    key: (row: MintRow) => row.id,
    find: async (range, total) => {
      if (query.item_id) {
        const ids = isNone(await total())
          ? []
          : await pageOfIds(ctx, 'mint_requests', [ownOf(ctx), ...inOrderOf(query.item_id, query)], range)
        return ctx.db.mintRequest.findMany({
          where: { id: { in: ids } },
          orderBy: { id: range.direction },
          ...withCarrier,
        })
      }
      const { where: after, ...rest } = byId(range)
      const where = query.collection_id ? { collectionId: query.collection_id } : {}
      return ctx.db.mintRequest.findMany({ where: { AND: [where, after] }, ...rest, ...withCarrier })
    },
    count: () =>
      query.item_id
        ? totalWhere(ctx, 'mint_requests', [
            ownOf(ctx),
            sql`item_id = ${query.item_id}::uuid`,
            ...(query.collection_id ? [sql`collection_id = ${query.collection_id}::uuid`] : []),
          ])
        : countRows(ctx, { table: 'mint_requests', parentId: query.collection_id }),
    show: mintOf,
  })
}

const ownOf = (ctx: Context): Prisma.Sql => sql`organization_id = ${ctx.organizationId}::uuid`

/**
 * Said in this way, the item is taken for a rare one, and no index is asked for the collection: that of an item's mint
 * requests gives the order too, where others would be walked until the page is full.
 */
const inOrderOf = (itemId: string, { collection_id }: Input<typeof endpoint>['query']): Prisma.Sql[] => [
  sql`item_id = ${itemId}::uuid AND item_id >= ${itemId}::uuid AND item_id <= ${itemId}::uuid`,
  ...(collection_id ? [sql`(collection_id = ${collection_id}::uuid) IS TRUE`] : []),
]
