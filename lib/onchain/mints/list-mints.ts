import { Prisma } from '../../../generated/prisma/client.ts'
import type { Input } from '../../platform/api/endpoint.ts'
import type { listMintRequests as endpoint } from '../../platform/api/mint-requests.ts'
import type { Context } from '../../platform/auth/context.ts'
import { byId, paginate } from '../../core/paginate.ts'
import { countRows } from '../../records/counts/count-rows.ts'
import { totalWhere } from '../../records/counts/total-of.ts'
import { type MintRow, mintOf, withCarrier } from './show-mint.ts'

const { sql } = Prisma

export function listMints(ctx: Context, query: Input<typeof endpoint>['query']) {
  const where = {
    ...(query.collection_id && { collectionId: query.collection_id }),
    ...(query.item_id && { itemId: query.item_id }),
  }
  return paginate(query, {
    list: ['mint_requests', ctx.organizationId],
    key: (row: MintRow) => row.id,
    find: (range) => {
      const { where: after, ...rest } = byId(range)
      return ctx.db.mintRequest.findMany({ where: { AND: [where, after] }, ...rest, ...withCarrier })
    },
    count: () =>
      query.item_id
        ? totalWhere(ctx, 'mint_requests', [
            sql`organization_id = ${ctx.organizationId}::uuid AND item_id = ${query.item_id}::uuid`,
            ...(query.collection_id ? [sql`collection_id = ${query.collection_id}::uuid`] : []),
          ])
        : countRows(ctx, { table: 'mint_requests', parentId: query.collection_id }),
    show: mintOf,
  })
}
