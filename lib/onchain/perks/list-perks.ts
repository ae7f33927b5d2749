import type { Perk } from '../../../generated/prisma/client.ts'
import { byId, paginate } from '../../core/paginate.ts'
import type { Input } from '../../platform/api/endpoint.ts'
import type { listPerks as endpoint } from '../../platform/api/perks.ts'
import type { Context } from '../../platform/auth/context.ts'
import { totalById } from '../../records/counts/total-of.ts'
import { perkOf } from './show-perk.ts'

export function listPerks(ctx: Context, query: Input<typeof endpoint>['query']) {
  const { collection_id: collectionId, item_id: itemId } = query
  const where = { ...(collectionId && { collectionId, itemId: null }), ...(itemId && { itemId }) }
  return paginate(query, {
    list: ['perks', ctx.organizationId],
    key: (row: Perk) => row.id,
    find: (range) => {
      const { where: after, ...rest } = byId(range)
      return ctx.db.perk.findMany({ where: { AND: [where, after] }, ...rest })
    },
    count: () => totalById(ctx, 'perks', where, (args) => ctx.db.perk.count(args)),
    show: perkOf,
  })
}
