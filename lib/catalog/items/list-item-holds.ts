import { type Hold, type Item, Prisma } from '../../../generated/prisma/client.ts'
import type { Input, Output } from '../../platform/api/endpoint.ts'
import type { listItemHolds as endpoint } from '../../platform/api/items.ts'
import type { Context } from '../../platform/auth/context.ts'
import { notFound } from '../../core/errors.ts'
import { literal, pageOfParts } from '../../db/page-of-ids.ts'
import type { Statement } from '../../db/statements.ts'
import { byId, paginate, type Range } from '../../core/page.ts'
import { totalById, totalOf } from '../../records/counts/total-of.ts'
import { givableUnits, unitsInCustody } from '../../stock/custody.ts'

type StockRow = Pick<Item, 'maxSupply' | 'minted' | 'held' | 'custodian'>
type HoldRow = Pick<Hold, 'id' | 'holderType' | 'holderId' | 'quantity' | 'state' | 'createdAt'>

const STOCK: Statement = {
  name: 'stock_of_item',
  text: 'SELECT max_supply AS "maxSupply", minted, held, kept_by AS custodian FROM items WHERE organization_id = $1::uuid AND id = $2::uuid',
}

const HOLDS: Statement = {
  name: 'holds_by_ids',
  text: `SELECT id, holder_type AS "holderType", holder_id AS "holderId", quantity, state, created_at AS "createdAt" FROM holds
    WHERE organization_id = $1::uuid AND id = ANY ($2::uuid[]) ORDER BY id`,
}

/** The stock ledger of one item: its totals and who holds its units. */
export async function listItemHolds(
  ctx: Context,
  itemId: string,
  query: Input<typeof endpoint>['query'],
): Promise<Output<typeof endpoint>> {
  const [item] = await ctx.rows<StockRow>(STOCK, ctx.organizationId, itemId)
  if (!item) throw notFound()
  const filter = { itemId, ...(query.state !== 'ALL' && { state: query.state ?? ('HELD' as const) }) }
  const page = await paginate(query, {
    key: (row: HoldRow) => row.id,
    find: async (range) => {
      const { where, ...rest } = byId(range)
      if (filter.state === 'HELD' || filter.state === 'EXCEPTION') {
        const ids = await idsOf(ctx, itemId, filter.state, range)
        const rows = await ctx.rows<HoldRow>(HOLDS, ctx.organizationId, ids)
        return range.direction === 'asc' ? rows : rows.reverse()
      }
      return ctx.db.hold.findMany({ where: { ...where, ...filter }, ...rest })
    },
    count: () => {
      const { state } = filter
      if (state !== 'HELD' && state !== 'EXCEPTION')
        return totalById(ctx, 'holds', filter, (args) => ctx.db.hold.count(args))
      return totalOf(
        ctx,
        'holds',
        async (take) => (await idsOf(ctx, itemId, state, { after: undefined, direction: 'asc', take })).length,
        (ids) => ctx.db.hold.count({ where: { AND: [filter, { id: { in: ids } }] } }),
      )
    },
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

/** Ids of an item's holds of a state that few are in. */
const idsOf = (ctx: Context, itemId: string, state: 'HELD' | 'EXCEPTION', range: Range): Promise<string[]> =>
  pageOfParts(
    ctx,
    'holds',
    [
      {
        conditions: [
          Prisma.sql`organization_id = ${ctx.organizationId}::uuid AND item_id = ${itemId}::uuid`,
          Prisma.sql`state IN ('HELD', 'EXCEPTION') AND state = ${literal(state)}`,
        ],
        few: true,
      },
    ],
    range,
  )
