import { Prisma } from '../../generated/prisma/client.ts'
import type { LongRange, Place } from '../core/paginate.ts'
import type { Reach } from './scope.ts'
import type { Value } from './statements.ts'

const { sql } = Prisma

/**
 * Rows of a table, named `as`, that fulfil conditions. `looked`: conditions that no index answers, for which rows are
 * looked at in their order.
 */
export type SortedRows = {
  table: string
  as: string
  conditions: readonly Prisma.Sql[]
  looked?: readonly Prisma.Sql[]
}

/**
 * The expressions that a list is sorted by before its ids. An index has them before the id. Each is given with its
 * type.
 */
export type SortColumns = readonly { value: Prisma.Sql; type: 'text' | 'numeric' }[]

const SEPARATOR = '\0' // no text in PostgreSQL has it

/** Each character of a key is one byte. */
const keyOf = (values: readonly string[], id: string): string =>
  Buffer.from([...values, id].join(SEPARATOR)).toString('latin1')

function placeOf(key: string): { values: string[]; id: string } {
  const parts = Buffer.from(key, 'latin1').toString().split(SEPARATOR)
  return { values: parts.slice(0, -1), id: parts.at(-1)! }
}

const idOf = ({ as }: SortedRows) => Prisma.raw(`${as}.id`)
const orderOf = ({ direction }: LongRange) => Prisma.raw(direction === 'asc' ? 'ASC' : 'DESC')
const beyondOf = ({ direction, isIncluded }: LongRange) =>
  Prisma.raw(`${direction === 'asc' ? '>' : '<'}${isIncluded ? '=' : ''}`)

/**
 * Some columns of the first rows by an order. OFFSET 0 keeps the order apart from what is looked for, of which the
 * planner knows nothing.
 */
function firstOf(
  columns: Prisma.Sql,
  { table, as, conditions, looked = [] }: SortedRows,
  start: readonly Prisma.Sql[],
  order: Prisma.Sql,
  take: number,
): Prisma.Sql {
  const row = Prisma.raw(as)
  const inOrder = sql`${Prisma.raw(table)} ${row}
    WHERE ${Prisma.join([...conditions, ...start], ' AND ')} ORDER BY ${order}`
  if (looked.length === 0) return sql`SELECT ${columns} FROM ${inOrder} LIMIT ${take}`
  return sql`SELECT ${columns} FROM (SELECT ${row}.* FROM ${inOrder} OFFSET 0) ${row}
    WHERE ${Prisma.join([...looked], ' AND ')} LIMIT ${take}`
}

/** The places of one page of rows, sorted by columns and then by their ids. */
export async function placesByColumns(
  reach: Pick<Reach, 'rows'>,
  sorted: SortedRows,
  columns: SortColumns,
  range: LongRange,
): Promise<Place[]> {
  const place = range.after === undefined ? null : placeOf(range.after)
  const keys = [...columns.map(({ value }) => value), idOf(sorted)]
  const after = place && [
    ...columns.map(({ type }, at) => sql`${place.values[at]}::text::${Prisma.raw(type)}`),
    sql`${place.id}::uuid`,
  ]
  const start = after ? [sql`(${Prisma.join(keys)}) ${beyondOf(range)} (${Prisma.join(after)})`] : []
  const shown = sql`${idOf(sorted)}::text AS id,
    ARRAY[${Prisma.join(columns.map(({ value }) => sql`${value}::text`))}] AS values`
  const order = Prisma.join(keys.map((key) => sql`${key} ${orderOf(range)}`))
  const { text, values } = firstOf(shown, sorted, start, order, range.take)
  // Without a name it is planned for its values.
  const rows = await reach.rows<{ id: string; values: string[] }>({ name: '', text }, ...(values as Value[]))
  return rows.map((row) => ({ id: row.id, key: keyOf(row.values, row.id) }))
}

/** Rows of a rank, which an index of their own answers. */
export type RankedPart = { rank: number; conditions: readonly Prisma.Sql[] }

/** The places of one page of rows that are in one of several parts, sorted by the parts' ranks and then by id. */
export async function placesByParts(
  reach: Pick<Reach, 'rows'>,
  sorted: SortedRows,
  parts: readonly RankedPart[],
  range: LongRange,
): Promise<Place[]> {
  const place = range.after === undefined ? null : placeOf(range.after)
  const first = Number(place?.values[0])
  const order = orderOf(range)
  const pages = parts.flatMap(({ rank, conditions }) => {
    if (place && rank !== first && (range.direction === 'asc') === rank < first) return []
    const start = place && rank === first ? [sql`${idOf(sorted)} ${beyondOf(range)} ${place.id}::uuid`] : []
    const columns = sql`${idOf(sorted)}::text AS id, ${Prisma.raw(String(rank))} AS rank`
    return [sql`(${firstOf(columns, sorted, [...conditions, ...start], sql`${idOf(sorted)} ${order}`, range.take)})`]
  })
  if (pages.length === 0) return []
  const { text, values } = sql`SELECT id, rank::text FROM (${Prisma.join(pages, ' UNION ALL ')}) page
      ORDER BY page.rank ${order}, page.id ${order} LIMIT ${range.take}`
  const rows = await reach.rows<{ id: string; rank: string }>({ name: '', text }, ...(values as Value[]))
  return rows.map(({ id, rank }) => ({ id, key: keyOf([rank], id) }))
}
