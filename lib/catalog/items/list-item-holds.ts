import { type HoldState, Prisma } from '../../../generated/prisma/client.ts'
import type { Input, Output } from '../../platform/api/endpoint.ts'
import type { listItemHolds as endpoint } from '../../platform/api/items.ts'
import type { Context } from '../../platform/auth/context.ts'
import { notFound } from '../../core/errors.ts'
import { columns, type RowOf } from '../../db/columns.ts'
import { literal, pageOfIds } from '../../db/page-of-ids.ts'
import type { Statement } from '../../db/statements.ts'
import { paginate } from '../../core/paginate.ts'
import { totalWhere } from '../../records/counts/total-of.ts'
import { givableUnits, unitsInCustody } from '../../core/stock.ts'

const { sql } = Prisma

const STOCK_COLUMNS = columns('items', 'Item', ['maxSupply', 'minted', 'held', 'custodian'])
type StockRow = RowOf<typeof STOCK_COLUMNS>
const HOLD_COLUMNS = columns('holds', 'Hold', ['id', 'holderType', 'holderId', 'quantity', 'state', 'createdAt'])
type HoldRow = RowOf<typeof HOLD_COLUMNS>

const STOCK: Statement = {
  name: 'stock_of_item',
  text: `SELECT ${STOCK_COLUMNS} FROM items WHERE organization_id = $1::uuid AND id = $2::uuid`,
}

const HOLDS: Statement = {
  name: 'holds_by_ids',
  text: `SELECT ${HOLD_COLUMNS} FROM holds WHERE organization_id = $1::uuid AND id = ANY ($2::uuid[]) ORDER BY id`,
}

/** The stock ledger of one item: its totals and who holds its units. */
export async function listItemHolds(
  ctx: Context,
  itemId: string,
  query: Input<typeof endpoint>['query'],
): Promise<Output<typeof endpoint>> {
  const [item] = await ctx.rows<StockRow>(STOCK, ctx.organizationId, itemId)
  if (!item) throw notFound()
  const conditions = conditionsOf(ctx, itemId, query.state ?? 'HELD')
  const page = await paginate(query, {
    list: ['holds', ctx.organizationId, itemId],
    key: (row: HoldRow) => row.id,
    find: async (range) => {
      const rows = await ctx.rows<HoldRow>(HOLDS, ctx.organizationId, await pageOfIds(ctx, 'holds', conditions, range))
      return range.direction === 'asc' ? rows : rows.reverse()
    },
    count: () => totalWhere(ctx, 'holds', conditions),
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

/** Few holds of an item may be in a state: these have a partial index each, but for CONSUMED. */
const conditionsOf = (ctx: Context, itemId: string, state: HoldState | 'ALL'): Prisma.Sql[] => [
  sql`organization_id = ${ctx.organizationId}::uuid AND item_id = ${itemId}::uuid`,
  ...(state === 'ALL' ? [] : [sql`state = ${literal(state)}`]),
]
