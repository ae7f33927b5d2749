import type { Context } from '../../platform/auth/context.ts'
import { countRows } from '../../records/counts/count-rows.ts'

/** How many entries a listing's allow list has. */
export const countAllowances = (ctx: Context, listingId: string): Promise<number> =>
  countRows(ctx, { table: 'listing_allowances', parentId: listingId })
