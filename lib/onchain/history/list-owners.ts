import type { z } from 'zod'
import type { itemOwner } from '../../platform/api/history.ts'
import type { Context } from '../../platform/auth/context.ts'
import type { Page, PageQuery } from '../../core/page.ts'
import { totalOf } from '../../records/counts/total-of.ts'
import { shownQuantity } from './list-history.ts'
import { pagesOfItem, readPageOfItem } from './page-of-item.ts'

const PAGES = pagesOfItem('item_owners_page', {
  rows: 'FROM item_owners o WHERE o.item_id = i.id AND o.quantity > 0',
  key: { column: 'o.address', type: 'text', lowest: '', highest: '0y' },
  columns: 'o.address, o.quantity::text AS quantity',
})

/** Who owns an item that the caller may see, ordered by address. */
export const listOwners = (ctx: Context, itemId: string, query: PageQuery): Promise<Page<z.output<typeof itemOwner>>> =>
  readPageOfItem(ctx, itemId, query, {
    pages: PAGES,
    values: [],
    key: (row: { address: string; quantity: string }) => row.address,
    isKey: (key) => /^0x[0-9a-fA-F]{40}$/.test(key),
    estimate: (counted) =>
      totalOf(
        ctx,
        'item_owners',
        async () => counted,
        (itemIds) => itemIds.filter((id) => id === itemId).length,
      ),
    show: ({ address, quantity }) => ({ address, quantity: shownQuantity(quantity) }),
  })
