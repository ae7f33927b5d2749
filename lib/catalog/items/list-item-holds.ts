import type { Input, Output } from '../../platform/api/endpoint.ts'
import type { listItemHolds as endpoint } from '../../platform/api/items.ts'
import type { Context } from '../../platform/auth/context.ts'
import { notFound } from '../../core/errors.ts'
import { byId, paginate } from '../../core/page.ts'
import { totalById } from '../../records/counts/total-of.ts'
import { givableUnits, unitsInCustody } from '../../stock/custody.ts'

/** The stock ledger of one item: its totals and who holds its units. */
export async function listItemHolds(
  ctx: Context,
  itemId: string,
  query: Input<typeof endpoint>['query'],
): Promise<Output<typeof endpoint>> {
  const item = await ctx.db.item.findFirst({ where: { id: itemId } })
  if (!item) throw notFound()
  const filter = { itemId, ...(query.state !== 'ALL' && { state: query.state ?? ('HELD' as const) }) }
  const page = await paginate(query, {
    key: (row: { id: string }) => row.id,
    find: (range) => {
      const { where, ...rest } = byId(range)
      return ctx.db.hold.findMany({ where: { ...where, ...filter }, ...rest })
    },
    count: () => totalById(ctx, 'holds', filter, (args) => ctx.db.hold.count(args)),
    show: (row) => ({
      id: row.id,
      holder_type: row.holderType,
      holder_id: row.holderId,
      quantity: row.quantity,
      state: row.state,
      created_at: row.createdAt,
    }),
  })
  const { maxSupply, minted, held, custodian } = item
  return {
    ...page,
    max_supply: maxSupply,
    minted,
    held,
    kept: unitsInCustody(item),
    kept_by: custodian,
    free: givableUnits(item),
  }
}
