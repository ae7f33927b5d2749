import type { z } from 'zod'
import type { ItemOwner } from '../../../generated/prisma/client.ts'
import type { itemOwner } from '../../platform/api/history.ts'
import type { Context } from '../../platform/auth/context.ts'
import { notFound } from '../../core/errors.ts'
import { type Page, type PageQuery, paginate } from '../../core/page.ts'
import { totalOf } from '../../records/counts/total-of.ts'
import { shownQuantity } from './list-history.ts'

/** Who owns a published item, ordered by address. */
export async function listOwners(
  ctx: Context,
  itemId: string,
  query: PageQuery,
): Promise<Page<z.output<typeof itemOwner>>> {
  const item = await ctx.db.item.findFirst({ where: { id: itemId }, select: { id: true } })
  if (!item) throw notFound()
  const where = { itemId, quantity: { gt: 0 } }
  return paginate(query, {
    key: (row: ItemOwner) => row.address,
    isKey: (key) => /^0x[0-9a-fA-F]{40}$/.test(key),
    find: ({ after, direction, take }) =>
      ctx.db.itemOwner.findMany({
        where: { AND: [where, after ? { address: direction === 'asc' ? { gt: after } : { lt: after } } : {}] },
        orderBy: { address: direction },
        take,
      }),
    count: () =>
      totalOf(
        ctx,
        'item_owners',
        (take) => ctx.db.itemOwner.count({ where, take }),
        (itemIds) => itemIds.filter((id) => id === itemId).length,
      ),
    show: ({ address, quantity }) => ({ address, quantity: shownQuantity(quantity) }),
  })
}
