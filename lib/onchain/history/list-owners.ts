import type { z } from 'zod'
import type { itemOwner } from '../../platform/api/history.ts'
import type { Context } from '../../platform/auth/context.ts'
import type { Page, PageQuery } from '../../core/page.ts'
import { shownQuantity } from './list-history.ts'
import { readRowsOfItem, rowsOfItem } from './rows-of-item.ts'

type Owner = z.output<typeof itemOwner>

/** Pages of an item's owners, ordered by address. */
export const itemOwners = rowsOfItem<PageQuery, { address: string; quantity: string }, Owner>({
  name: 'item_owners',
  order: {
    column: 'o.address',
    type: 'text',
    lowest: '',
    highest: '0y',
  },
  from: 'FROM item_owners o WHERE o.item_id = i.id AND o.quantity > 0',
  row: 'o.xmin',
  columns: { address: 'o.address', quantity: 'o.quantity::text' },
  count: (most) => `count_shown_owners(i.id, ${most})`,
  isFor: () => true,
  show: ({ address, quantity }) => ({ address, quantity: shownQuantity(quantity) }),
})

/** Who owns an item that the caller may see. */
export const listOwners = (ctx: Context, itemId: string, query: PageQuery): Promise<Page<Owner>> =>
  readRowsOfItem(ctx, itemOwners, itemId, query)
