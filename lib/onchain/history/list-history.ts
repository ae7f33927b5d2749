import type { z } from 'zod'
import type { ItemHistory } from '../../../generated/prisma/client.ts'
import type { historyEntry } from '../../platform/api/history.ts'
import type { Context } from '../../platform/auth/context.ts'
import type { Page, PageQuery } from '../../core/page.ts'
import { totalById } from '../../records/counts/total-of.ts'
import { HIGHEST_UUID, LOWEST_UUID } from '../../core/id.ts'
import { pagesOfItem, readPageOfItem } from './page-of-item.ts'

type Entry = z.output<typeof historyEntry>
type Query = PageQuery & { event_type?: Entry['type'] | null | undefined }
type Row = Pick<
  ItemHistory,
  'id' | 'type' | 'timestamp' | 'fromAddress' | 'toAddress' | 'txHash' | 'blockNumber' | 'logIndex'
> & {
  quantity: string
}

const PAGES = pagesOfItem('item_history_page', {
  rows: `FROM item_history h WHERE h.item_id = i.id AND ($5::text IS NULL OR h.type = $5::"HistoryType")`,
  key: { column: 'h.id', type: 'uuid', lowest: LOWEST_UUID, highest: HIGHEST_UUID },
  columns: `h.id, h.type, h.quantity::text AS quantity, h.timestamp, h.from_address AS "fromAddress", h.to_address AS "toAddress",
    h.tx_hash AS "txHash", h.block_number AS "blockNumber", h.log_index AS "logIndex"`,
})

/** The chain's history of an item that the caller may see. Ids of history rows sort in chain order. */
export function listHistory(ctx: Context, itemId: string, query: Query): Promise<Page<Entry>> {
  const where = { itemId, ...(query.event_type && { type: query.event_type }) }
  return readPageOfItem(ctx, itemId, query, {
    pages: PAGES,
    values: [query.event_type ?? null],
    key: (row: Row) => row.id,
    estimate: () => totalById(ctx, 'item_history', where, (args) => ctx.db.itemHistory.count(args)),
    show: entryOf,
  })
}

const MAX_QUANTITY = BigInt(Number.MAX_SAFE_INTEGER)

/** Quantities are numbers on the wire; what is larger than a number holds is shown as the largest one. */
export function shownQuantity(quantity: string): bigint {
  const units = BigInt(quantity)
  return units < MAX_QUANTITY ? units : MAX_QUANTITY
}

const entryOf = (row: Row): Entry => ({
  type: row.type,
  quantity: shownQuantity(row.quantity),
  timestamp: row.timestamp,
  data: {
    from: { address: row.fromAddress },
    to: { address: row.toAddress },
    transaction: { tx_hash: row.txHash, block_number: Number(row.blockNumber), log_index: row.logIndex },
  },
})
