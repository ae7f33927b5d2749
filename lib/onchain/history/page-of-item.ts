import type { Context } from '../../platform/auth/context.ts'
import type { Statement, Value } from '../../db/statements.ts'
import { notFound } from '../../core/errors.ts'
import { type Page, type PageQuery, paginate, type Range, type Total } from '../../core/page.ts'
import { COUNTED_EXACTLY } from '../../records/counts/total-of.ts'

type Direction = Range['direction']
type Parts = {
  /** FROM and WHERE of the item's rows, where `i` is the item; values of the caller's are $5 and the following. */
  rows: string
  /** A row's column that gives the order, its type, and values below and above all that it has. */
  key: { column: string; type: string; lowest: string; highest: string }
  columns: string
}

/**
 * A page of an item's rows in one statement, with their number up to one more than is counted exactly. It gives no row where the caller
 * may not see the item: an organization sees its own, anybody else the locked ones of deployed, public collections.
 */
const pageIn = (name: string, direction: Direction, { rows, key, columns }: Parts): Statement => ({
  name: `${name}_${direction}`,
  text: `SELECT counted.total, page.*
    FROM items i JOIN collections c ON c.id = i.collection_id
      CROSS JOIN LATERAL (SELECT count(*) AS total FROM (SELECT 1 ${rows} LIMIT ${COUNTED_EXACTLY + 1}) some_rows) counted
      LEFT JOIN LATERAL (SELECT true AS found, ${columns} ${rows}
        AND ${key.column} ${direction === 'asc' ? '>' : '<'} $3::${key.type}
        ORDER BY ${key.column} ${direction} LIMIT $4::int) page ON true
    WHERE i.id = $1::uuid AND (i.organization_id = $2::uuid
      OR ($2::uuid IS NULL AND i.locked_at IS NOT NULL AND c.deployment_status = 'SUCCESS' AND c.is_public))`,
})

export const pagesOfItem = (name: string, parts: Parts) => ({
  asc: { statement: pageIn(name, 'asc', parts), first: parts.key.lowest },
  desc: { statement: pageIn(name, 'desc', parts), first: parts.key.highest },
})

/** Reads such a page in one round trip. `estimate` gives the total of what isn't counted exactly. Throws `not_found`. */
export async function readPageOfItem<Row extends object, Out>(
  ctx: Context,
  itemId: string,
  query: PageQuery,
  {
    pages,
    values,
    key,
    isKey,
    estimate,
    show,
  }: {
    pages: ReturnType<typeof pagesOfItem>
    values: Value[]
    key: (row: Row) => string
    isKey?: (key: string) => boolean
    estimate: (counted: number) => Promise<Total>
    show: (row: Row) => Out
  },
): Promise<Page<Out>> {
  type Found = { total: bigint; found: true | null } & Row
  let counted = 0
  const find = async ({ after, direction, take }: Range): Promise<Row[]> => {
    const { statement, first } = pages[direction]
    const rows = await ctx.rows<Found>(statement, itemId, ctx.organizationId || null, after ?? first, take, ...values)
    if (rows.length === 0) throw notFound()
    counted = Number(rows[0]!.total)
    return rows.filter((row) => row.found)
  }
  const page = await paginate(query, { key, ...(isKey && { isKey }), find, count: async () => 0, show })
  const { total, isEstimate } =
    counted > COUNTED_EXACTLY ? await estimate(counted) : { total: counted, isEstimate: false }
  return { ...page, total_results: total, ...(isEstimate && { total_is_estimate: true as const }) }
}
