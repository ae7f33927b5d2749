import { notFound } from '../../../core/errors.ts'
import { HIGHEST_UUID, LOWEST_UUID } from '../../../core/id.ts'
import { type List, readCursor } from '../../../core/cursor.ts'
import { directionOf, type OrderDirection, type PageQuery } from '../../../core/page.ts'
import type { Statement, Value } from '../../../db/statements.ts'
import type { Context } from '../../auth/context.ts'

/** A row that was found for a key: the key's place among those asked for, and the version of the whole answer. */
export type KeptRow<Row> = Row & { at: number; version: string }

/** The parts of a context that answers are made with, besides their rows. */
export type Moment = Pick<Context, 'now' | 'ports' | 'rows' | 'db'>

/**
 * How a public answer is read. Both statements take the values of many keys, an array for each value of a key, and have
 * the same FROM and WHERE; `rows` gives the version and the answer's rows in one snapshot. Versions are equal only
 * where the answers are: they name everything the answer depends on but the clock, and the start of the server, since
 * transaction ids repeat after a restore or a fail-over.
 */
export type HotRead<In, Row, Out> = {
  versions: Statement
  rows: Statement
  /** How many rows the answer to a key has at most; one unless given. */
  rowsIn?: (key: readonly Value[]) => number
  /** The values that the statements take, valid for their types; null when the verb answers in another way. */
  keyOf: (input: In) => Value[] | null
  show: (rows: KeptRow<Row>[], input: In, moment: Moment) => Out | Promise<Out>
  /** Whether the version says all that the answer depends on; always unless given. An estimate has none. */
  isKept?: (rows: KeptRow<Row>[]) => boolean
  /** When the answer changes by the clock alone. */
  momentsOf?: (rows: KeptRow<Row>[]) => (Date | null)[]
}

/** Reads one answer in one round trip. Throws `not_found`. */
export async function readHot<In, Row, Out>(ctx: Context, read: HotRead<In, Row, Out>, input: In): Promise<Out> {
  const key = read.keyOf(input)
  const rows = key ? await ctx.rows<KeptRow<Row>>(read.rows, ...key.map((value) => [value])) : []
  if (rows.length === 0) throw notFound()
  return read.show(rows, input, ctx)
}

type OneRow = {
  /** The names and types of a key's values. */
  key: Record<string, string>
  /** FROM and WHERE, where `asked` is the key: at most one row each. */
  from: string
  /** The xmin of every row that the answer depends on, and other values in place of one. */
  version: string
  columns: string
}

/** The statements of answers that show one row with what is joined to it. */
export const oneRow = (name: string, { key, from, version, columns }: OneRow) => ({
  versions: { name: `${name}_version`, text: forEach(key, `SELECT ${versionOf(version)} ${from} LIMIT 1`) },
  rows: { name, text: forEach(key, `SELECT ${versionOf(version)}, ${columns} ${from} LIMIT 1`) },
})

/** The column that gives a list its order, its type, and values below and above all that it has. */
export type Sorting = {
  column: string
  type: string
  lowest: string
  highest: string
}

export const byUuid = (column: string): Sorting => ({
  column,
  type: 'uuid',
  lowest: LOWEST_UUID,
  highest: HIGHEST_UUID,
})

/** The columns of a row: their names, and what they are in SQL. */
export type Columns = Readonly<Record<string, string>>

/** These columns as SELECT names them. */
export const selected = (columns: Columns): string =>
  Object.entries(columns)
    .map(([name, sql]) => `${sql} AS "${name}"`)
    .join(', ')

type PageOfRows = {
  /** The names and types of a key's values; where the page begins and how many rows it takes are added. */
  key: Record<string, string>
  /**
   * The parent row of the list. `row`: the query that finds it by the key, which it calls `asked`. `name`: its alias in
   * the other parts. `without`: how a list without a parent row is answered. `columns`: the parent's columns in the
   * head of a page.
   */
  of: { name: string; row: string; without: 'empty' | 'not found'; columns?: Columns }
  order: Sorting
  /** FROM and WHERE of the list's rows. */
  from: string
  /**
   * Of the row that the list belongs to, and of each of its rows, as for one row; without the latter the former says
   * when a row changes.
   */
  version: { of: string; row?: string }
  /**
   * Of each of its rows, as JSON gives them: dates come as text, and numbers that JavaScript can't hold exactly have to
   * be text in SQL.
   */
  columns: Columns
  /** How many rows the list has. */
  total: string
}

/**
 * A page as it was found: the list's total, what it shows of the row that the list belongs to, and its rows as JSON,
 * null where it has none.
 */
export type FoundPage<Of = object> = { total: bigint; rows: string | null } & Of

const DIRECTIONS = { ASC: { beyond: '>', first: 'lowest' }, DESC: { beyond: '<', first: 'highest' } } as const

/**
 * The statements of a page of a list, and how its rows are read. The rows come as one text: while other pages of the
 * same round trip arrive, collecting garbage copies one text for each page instead of objects for each row
 * (docs/decisions/0069).
 */
export function pageOfRows<Row>(name: string, direction: OrderDirection, page: PageOfRows) {
  const { of, order, from, version, columns, total } = page
  const key = { ...page.key, after: order.type, take: 'int' }
  const rowVersion = version.row ? `, concat_ws(' ', ${order.column}, ${version.row}) AS row_version` : ''
  const names = Object.keys(columns)
  const versions = `(SELECT string_agg(row_version, ' ' ORDER BY row_place ${direction}) FROM page) AS versions`
  const found = (more: string) => `WITH page AS MATERIALIZED (
      SELECT ${order.column} AS row_place${rowVersion}${more} ${from}
        AND ${order.column} ${DIRECTIONS[direction].beyond} asked.after
      ORDER BY ${order.column} ${direction} LIMIT asked.take),
    list AS MATERIALIZED (
      SELECT (${total}) AS total${version.row ? `, ${versions}` : ''})`
  const ofRows = version.row ? ['total', `encode(sha256(convert_to(versions, 'UTF8')), 'base64')`] : []
  const versionOfPage = versionOf([version.of, ...ofRows].filter(Boolean).join(', '))
  const join = of.without === 'empty' ? 'LEFT' : 'INNER'
  const values = names.map((column) => `"${column}"`).join(', ')
  const listed = `json_agg(json_build_array(${values}) ORDER BY row_place ${direction})::text`
  const rowsOfPage = `(SELECT ${listed} FROM page) AS rows`
  const ofOne = (query: string) =>
    forEach(
      key,
      `SELECT found.* FROM (VALUES (1)) one ${join} JOIN LATERAL (${of.row} LIMIT 1) ${of.name} ON true
          CROSS JOIN LATERAL (${query}) found`,
    )
  return {
    rowsIn: (asked: readonly Value[]) => asked.at(-1) as number, // `take`
    versions: {
      name: `${name}_version`,
      text: ofOne(version.row ? `${found('')} SELECT ${versionOfPage} FROM list` : `SELECT ${versionOfPage}`),
    },
    rows: {
      name,
      text: ofOne(
        `${found(`, ${selected(columns)}`)}
          SELECT ${versionOfPage}, total, ${rowsOfPage}${of.columns ? `, ${selected(of.columns)}` : ''} FROM list`,
      ),
    },
    /** The rows of a page, in its order. */
    rowsOf: ({ rows }: FoundPage): Row[] =>
      rows === null ? [] : (JSON.parse(rows) as unknown[][]).map((row) => rowOf<Row>(names, row)),
  }
}

function rowOf<Row>(names: readonly string[], values: readonly unknown[]): Row {
  const row: Record<string, unknown> = {}
  for (let at = 0; at < names.length; at++) row[names[at]!] = values[at]
  return row as Row
}

/** The values of a key that `pageOfRows` adds. Throws `invalid_cursor`. */
export const placeOf = (list: List, order: Sorting, query: PageQuery): [string, number] => [
  readCursor(list, query)?.key ?? order[DIRECTIONS[directionOf(query)].first],
  query.limit + 1,
]

/**
 * Answers a query for each of many keys. The arrays stand in subqueries, so that the planner doesn't see how many they
 * are and keeps one plan; LATERAL makes it one that looks up each key by an index.
 */
export function forEach(key: Record<string, string>, query: string): string {
  const arrays = Object.values(key).map((type, at) => `(SELECT $${at + 1}::${type}[])`)
  return `SELECT asked.at::int AS at, found.*
    FROM unnest(${arrays.join(', ')}) WITH ORDINALITY AS asked(${Object.keys(key).join(', ')}, at)
    CROSS JOIN LATERAL (${query}) AS found`
}

const versionOf = (version: string): string => `concat_ws(' ', pg_postmaster_start_time(), ${version}) AS version`
