import type { ItemType } from '../../../generated/prisma/client.ts'
import type { Input } from '../../platform/api/endpoint.ts'
import type { listItemTypes as endpoint } from '../../platform/api/item-types.ts'
import type { Context } from '../../platform/auth/context.ts'
import { byId, paginate } from '../../core/paginate.ts'
import { itemTypesOf } from './show-item-type.ts'

export const listItemTypes = (ctx: Context, query: Input<typeof endpoint>['query']) =>
  paginate(query, {
    list: ['item_types', ctx.organizationId],
    key: (row: ItemType) => row.id,
    find: (range) => ctx.db.itemType.findMany(byId(range)),
    count: () => ctx.db.itemType.count(),
    showAll: (rows) => itemTypesOf(ctx, rows),
  })
