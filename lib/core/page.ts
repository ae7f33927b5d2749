import { z } from 'zod'
import { AppError } from './errors.ts'
import { isUuid } from './id.ts'
import { safeString } from './wire.ts'

type OrderDirection = 'ASC' | 'DESC'
export type PageQuery = {
  limit: number
  cursor?: string | null | undefined
  order_direction?: OrderDirection | null | undefined
}
export type Page<T> = {
  cursor: string | null
  has_more: boolean
  results: T[]
  total_results: number
  total_is_estimate?: true
}
/** How many records a list has. It is estimated only where counting them would take too long. */
export type Total = { total: number; isEstimate: boolean }

/** The query of a paged list. `maxLimit` is the highest `limit` it accepts. */
export const pageQuery = (maxLimit: 100 | 1000 = 100) =>
  z.object({
    limit: z.coerce
      .number()
      .int()
      .min(1)
      .max(maxLimit)
      .default(100)
      .describe(`How many records at most, 1..${maxLimit}.`),
    cursor: safeString.nullish().describe('The `cursor` of the previous page.'),
    order_direction: z.enum(['ASC', 'DESC']).nullish().describe('DESC (newest first) unless given.'),
  })

export const pageOf = <T extends z.ZodType>(record: T) =>
  z.object({
    cursor: z.string().nullable().describe('Pass it as `cursor` to get the next batch.'),
    has_more: z.boolean(),
    results: z.array(record),
    total_results: z.number().int(),
    total_is_estimate: z
      .literal(true)
      .optional()
      .describe(
        '`total_results` is an estimate: more than 10,000 records match several filters. Absent when it is exact.',
      ),
  })

const encode = (key: string) => Buffer.from(`1:${key}`).toString('base64url')

/** The key that a cursor encodes. Throws invalid_cursor for a malformed cursor or one of another list. */
export function readCursor(cursor: string, isKey: (key: string) => boolean = isUuid): string {
  const [version, ...rest] = Buffer.from(cursor, 'base64url').toString('utf8').split(':')
  const key = rest.join(':')
  if (version !== '1' || !isKey(key) || encode(key) !== cursor)
    throw new AppError('invalid_cursor', 'This cursor was not issued by this list.')
  return key
}

export type Range = { after: string | undefined; direction: 'asc' | 'desc'; take: number }

/**
 * One page of a list ordered by a unique key, newest first unless the query says otherwise. `find` gets the key after which
 * to start and `limit + 1` rows to take: the extra row only shows whether there is another page. Rows are counted once, also where `find` asks for `total`.
 */
export async function paginate<Row, Out>(
  query: PageQuery,
  list: {
    key: (row: Row) => string
    isKey?: (key: string) => boolean
    find: (range: Range, total: () => Promise<number | Total>) => Promise<Row[]>
    count: () => Promise<number | Total>
  } & (
    | { show: (row: Row) => Out | Promise<Out> }
    /** For what needs further statements: one for all rows instead of one for each. */
    | { showAll: (rows: readonly Row[]) => Promise<Out[]> }
  ),
): Promise<Page<Out>> {
  const range: Range = {
    after: query.cursor ? readCursor(query.cursor, list.isKey) : undefined,
    direction: query.order_direction === 'ASC' ? 'asc' : 'desc',
    take: query.limit + 1,
  }
  let counting: Promise<number | Total> | undefined
  const total = () => (counting ??= list.count())
  const [rows, counted] = await Promise.all([list.find(range, total), total()])
  const found = typeof counted === 'number' ? { total: counted, isEstimate: false } : counted
  const batch = rows.slice(0, query.limit)
  const last = batch.at(-1)
  return {
    cursor: last !== undefined && rows.length > query.limit ? encode(list.key(last)) : null,
    has_more: rows.length > query.limit,
    results: await ('showAll' in list ? list.showAll(batch) : Promise.all(batch.map(list.show))),
    total_results: found.total,
    ...(found.isEstimate && { total_is_estimate: true as const }),
  }
}

/** Prisma's arguments for a page of a list ordered by id. */
export const byId = ({ after, direction, take }: Range) => ({
  where: after ? { id: direction === 'asc' ? { gt: after } : { lt: after } } : {},
  orderBy: { id: direction },
  take,
})
