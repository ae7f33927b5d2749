import type { z } from 'zod'
import type { HistoryType, ItemHistory } from '../../../generated/prisma/client.ts'
import type { historyEntry } from '../../platform/api/history.ts'
import type { Context } from '../../platform/auth/context.ts'
import type { Page, PageQuery } from '../../core/page.ts'
import { byUuid } from '../../platform/http/hot/hot-read.ts'
import { readRowsOfItem, rowsOfItem } from './rows-of-item.ts'

type Entry = z.output<typeof historyEntry>
type Query = PageQuery & { event_type?: Entry['type'] | null | undefined }
type Row = Pick<ItemHistory, 'type' | 'fromAddress' | 'toAddress' | 'txHash' | 'logIndex'> & {
  quantity: string
  timestamp: string
  blockNumber: number
}

/** Ids of history rows sort in chain order. A type stands in the text, so that its own index answers. */
const entriesOf = (type: HistoryType | null) =>
  rowsOfItem<Query, Row, Entry>({
    name: type ? `item_history_${type.toLowerCase()}` : 'item_history',
    order: byUuid('h.id'),
    from: `FROM item_history h WHERE h.item_id = i.id${type ? ` AND h.type = '${type}'` : ''}`,
    row: 'h.xmin',
    columns: {
      type: 'h.type',
      quantity: 'h.quantity::text',
      timestamp: 'h.timestamp',
      fromAddress: 'h.from_address',
      toAddress: 'h.to_address',
      txHash: 'h.tx_hash',
      blockNumber: 'h.block_number',
      logIndex: 'h.log_index',
    },
    count: (most) => `count_shown_history(i.id, ${type ? `'${type}'` : 'NULL'}, ${most})`,
    isFor: ({ event_type }) => (event_type ?? null) === type,
    show: entryOf,
  })

/** Pages of an item's history on the chain. */
export const itemHistory = ([null, 'MINT', 'TRANSFER', 'BURN'] as const).flatMap(entriesOf)

/** The chain's history of an item that the caller may see. */
export const listHistory = (ctx: Context, itemId: string, query: Query): Promise<Page<Entry>> =>
  readRowsOfItem(ctx, itemHistory, itemId, query)

const MAX_QUANTITY = BigInt(Number.MAX_SAFE_INTEGER)

/** Quantities are numbers on the wire; what is larger than a number holds is shown as the largest one. */
export function shownQuantity(quantity: string): bigint {
  const units = BigInt(quantity)
  return units < MAX_QUANTITY ? units : MAX_QUANTITY
}

function entryOf(row: Row): Entry {
  return {
    type: row.type,
    quantity: shownQuantity(row.quantity),
    timestamp: new Date(row.timestamp),
    data: {
      from: { address: row.fromAddress },
      to: { address: row.toAddress },
      transaction: { tx_hash: row.txHash, block_number: row.blockNumber, log_index: row.logIndex },
    },
  }
}
