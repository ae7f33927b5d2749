import { type List, makeCursor, readCursor } from './cursor.ts'
import type { Page, PageQuery, Total } from './page.ts'

export type Range = { after: string | undefined; direction: 'asc' | 'desc'; take: number }
/**
 * Of a list whose cursors hold one key. `isIncluded`: the page begins with the row that has the key `after`, if it is
 * still there.
 */
export type LongRange = Range & { isIncluded: boolean }

/**
 * One page of a list ordered by a unique key, newest first unless the query says otherwise. `find` gets the key after
 * which to start and `limit + 1` rows to take: the extra row shows whether there is another page, and where it begins.
 * Rows are counted once, also where `find` asks for `total`.
 */
export async function paginate<Row, Out>(
  query: PageQuery,
  page: {
    list: List
    key: (row: Row) => string
    count: () => Promise<number | Total>
  } & (
    | { find: (range: Range, total: () => Promise<number | Total>) => Promise<Row[]> }
    /** For keys that can be so long that a cursor can't hold two of them. */
    | { findLong: (range: LongRange, total: () => Promise<number | Total>) => Promise<Row[]> }
  ) &
    (
      | { show: (row: Row) => Out | Promise<Out> }
      /** For what needs further statements: one for all rows instead of one for each. */
      | { showAll: (rows: readonly Row[]) => Promise<Out[]> }
    ),
): Promise<Page<Out>> {
  const range = rangeOf(page.list, query)
  let counting: Promise<number | Total> | undefined
  const total = () => (counting ??= page.count())
  const find = 'find' in page ? page.find : page.findLong
  const [rows, counted] = await Promise.all([find(range, total), total()])
  const batch = rows.slice(0, query.limit)
  const results = await ('showAll' in page ? page.showAll(batch) : allOf(batch.map(page.show)))
  return pageFrom(query, { ...page, rows, results, total: counted, namesNext: 'find' in page })
}

type OfFound<Row> = { list: List; key: (row: Row) => string; rows: readonly Row[]; total: number | Total }

/**
 * A page of rows that are there already: up to `limit + 1` of them. Nothing is awaited, so that of pages that are found
 * at the same time one is made after the other, and what is made of their rows isn't in memory at once.
 */
export const pageOfFound = <Row, Out>(query: PageQuery, page: OfFound<Row> & { show: (row: Row) => Out }): Page<Out> =>
  pageFrom(query, { ...page, results: page.rows.slice(0, query.limit).map(page.show), namesNext: true })

/** `namesNext`: the cursor holds the key of the next page's first row as well. */
function pageFrom<Row, Out>(
  query: PageQuery,
  { list, key, rows, results, total: counted, namesNext }: OfFound<Row> & { results: Out[]; namesNext: boolean },
): Page<Out> {
  const { total, isEstimate } = typeof counted === 'number' ? { total: counted, isEstimate: false } : counted
  const [last, next] = [rows[query.limit - 1], rows[query.limit]]
  const hasMore = last !== undefined && next !== undefined
  return {
    cursor: hasMore ? makeCursor(list, query, key(last), namesNext ? key(next) : null) : null,
    has_more: hasMore,
    results,
    total_results: total,
    ...(isEstimate && { total_is_estimate: true as const }),
  }
}

/** Values that are there needn't be awaited one by one. */
const allOf = <T>(values: (T | Promise<T>)[]): T[] | Promise<T[]> =>
  values.some((value) => value instanceof Promise) ? Promise.all(values) : (values as T[])

/**
 * The place where a page of a list begins, its direction, and how many rows to read: one more than the page has. Throws
 * `invalid_cursor`.
 */
export function rangeOf(list: List, query: PageQuery): LongRange {
  const place = readCursor(list, query)
  return {
    after: place?.key,
    isIncluded: place?.isIncluded ?? false,
    direction: query.order_direction === 'ASC' ? 'asc' : 'desc',
    take: query.limit + 1,
  }
}

/** Prisma's arguments for a page of a list ordered by id. */
export const byId = ({ after, direction, take }: Range) => ({
  where: after ? { id: direction === 'asc' ? { gt: after } : { lt: after } } : {},
  orderBy: { id: direction },
  take,
})

const MOST_READS = 4

/**
 * The rows of a page that is found by ids first. It is read again where one was deleted meanwhile: a short page would
 * pass for the last one.
 */
export async function rowsOfIds<Row>(
  findIds: () => Promise<string[]>,
  read: (ids: string[]) => Promise<Row[]>,
): Promise<Row[]> {
  for (let reads = 1; ; reads++) {
    const ids = await findIds()
    const rows = await read(ids)
    if (rows.length === ids.length || reads === MOST_READS) return rows
  }
}

/** The id of a row, and the key by which its list is ordered. */
export type Place = { id: string; key: string }

/** How `paginate` finds the rows of a list whose order isn't that of its ids. */
export function sortedRows<Row>(list: {
  findPlaces: (range: LongRange) => Promise<Place[]>
  read: (ids: string[]) => Promise<Row[]>
  id: (row: Row) => string
}) {
  const keys = new Map<string, string>()
  const findIds = async (range: LongRange) => {
    const places = await list.findPlaces(range)
    for (const { id, key } of places) keys.set(id, key)
    return places.map(({ id }) => id)
  }
  const read = async (ids: string[]) => {
    const rows = new Map((await list.read(ids)).map((row) => [list.id(row), row]))
    return ids.flatMap((id) => rows.get(id) ?? [])
  }
  return {
    key: (row: Row): string => keys.get(list.id(row))!,
    findLong: (range: LongRange): Promise<Row[]> => rowsOfIds(() => findIds(range), read),
  }
}
