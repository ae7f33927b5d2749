import type { Prisma } from '../../generated/prisma/client.ts'
import { newId } from '../../lib/core/id.ts'
import { holdUnits } from '../../lib/stock/hold-units.ts'
import type { callerOf } from './call.ts'
import type { TestOrganization } from './organization.ts'

export const make = (
  api: ReturnType<typeof callerOf>,
  collection_id: string,
  attributes: object = { title: 'Moonflower' },
  more: object = {},
) => api.post('/v1/items', { collection_id, attributes, ...more })

/** Changes an item past the product. */
export const setCounters = ({ ctx }: TestOrganization, id: string, data: Prisma.ItemUpdateInput) =>
  ctx.db.item.update({ where: { id }, data })

export const hold = (
  { ctx }: TestOrganization,
  collectionId: string,
  itemId: string,
  type: 'CLAIM' | 'MINT_REQUEST' = 'CLAIM',
  quantity = 1n,
) => holdUnits(ctx, { type, id: newId() }, { collectionId, itemId, quantity })
