import type { z } from 'zod'
import type { ItemHistory } from '../../../generated/prisma/client.ts'
import type { historyEntry } from '../../platform/api/history.ts'
import type { Context } from '../../platform/auth/context.ts'
import { notFound } from '../../core/errors.ts'
import { byId, type Page, type PageQuery, paginate } from '../../core/page.ts'
import { totalById } from '../../records/counts/total-of.ts'

type Entry = z.output<typeof historyEntry>
type Query = PageQuery & { event_type?: Entry['type'] | null | undefined }

/** The chain's history of a published item. Ids of history rows sort in chain order. */
export async function listHistory(ctx: Context, itemId: string, query: Query): Promise<Page<Entry>> {
  const item = await ctx.db.item.findFirst({ where: { id: itemId }, select: { id: true } })
  if (!item) throw notFound()
  const where = { itemId, ...(query.event_type && { type: query.event_type }) }
  return paginate(query, {
    key: (row: ItemHistory) => row.id,
    find: (range) => {
      const { where: after, ...order } = byId(range)
      return ctx.db.itemHistory.findMany({ where: { AND: [where, after] }, ...order })
    },
    count: () => totalById(ctx, 'item_history', where, (args) => ctx.db.itemHistory.count(args)),
    show: entryOf,
  })
}

const MAX_QUANTITY = BigInt(Number.MAX_SAFE_INTEGER)

/** Quantities are numbers on the wire; what is larger than a number holds is shown as the largest one. */
export function shownQuantity(quantity: { toFixed: () => string }): bigint {
  const units = BigInt(quantity.toFixed())
  return units < MAX_QUANTITY ? units : MAX_QUANTITY
}

const entryOf = (row: ItemHistory): Entry => ({
  type: row.type,
  quantity: shownQuantity(row.quantity),
  timestamp: row.timestamp,
  data: {
    from: { address: row.fromAddress },
    to: { address: row.toAddress },
    transaction: { tx_hash: row.txHash, block_number: Number(row.blockNumber), log_index: row.logIndex },
  },
})
