import { Prisma } from '../../../generated/prisma/client.ts'
import type { Range } from '../../core/paginate.ts'

const { sql } = Prisma

export const orderOf = ({ direction }: Pick<Range, 'direction'>): Prisma.Sql =>
  Prisma.raw(direction === 'asc' ? 'ASC' : 'DESC')

const beyond = (id: Prisma.Sql, { after, direction }: Omit<Range, 'take'>): Prisma.Sql[] =>
  after === undefined ? [] : [sql`${id} ${Prisma.raw(direction === 'asc' ? '>' : '<')} ${after}::uuid`]

/** A page of `items i` and what is joined to them, in the order of their ids: FROM and what follows. */
export function pageOf(
  joined: Prisma.Sql,
  filters: Prisma.Sql[],
  range: Omit<Range, 'take'> & { take: number | Prisma.Sql },
): Prisma.Sql {
  const where = Prisma.join([...filters, ...beyond(sql`i.id`, range)], ' AND ')
  return sql`FROM items i ${joined} WHERE ${where} ORDER BY i.id ${orderOf(range)} LIMIT ${range.take}`
}

/**
 * A page of items where many match the search: they are looked at in their order until the page is full. OFFSET 0 keeps
 * the order apart from the search, of which the planner knows nothing: it would believe that few items match, read all
 * items and sort those that it found.
 */
export function pageInOrder(filters: Prisma.Sql[], searched: Prisma.Sql[], range: Range): Prisma.Sql {
  const where = Prisma.join([...filters, ...beyond(sql`i.id`, range)], ' AND ')
  return sql`FROM (SELECT * FROM items i WHERE ${where} ORDER BY i.id ${orderOf(range)} OFFSET 0) i
    WHERE ${Prisma.join(searched, ' AND ')} LIMIT ${range.take}`
}

/** So many items nearly always have a page of what more than 10,000 have. */
const FIRST = 20_000

/**
 * A page of items of all organizations where many match the search. Only the primary key gives their order: the planner
 * chooses it for the first items, but not for all. The items after the first ones are read only where those don't fill
 * the page.
 */
export function pageOfFirst(filters: Prisma.Sql[], searched: Prisma.Sql[], range: Range): Prisma.Sql {
  const where = Prisma.join([...filters, ...beyond(sql`i.id`, range)], ' AND ')
  const order = sql`ORDER BY i.id ${orderOf(range)}`
  const last = sql`(SELECT i.id FROM items i WHERE ${where} ${order} LIMIT 1 OFFSET ${Prisma.raw(String(FIRST - 1))})`
  const later = sql`i.id ${Prisma.raw(range.direction === 'asc' ? '>' : '<')} ${last}`
  const isFound = Prisma.join(searched, ' AND ')
  return sql`FROM (
      SELECT * FROM (SELECT * FROM items i WHERE ${where} ${order} LIMIT ${Prisma.raw(String(FIRST))}) i
      WHERE ${isFound}
      UNION ALL SELECT * FROM (SELECT * FROM items i WHERE ${where} AND ${later} ${order} OFFSET 0) i
      WHERE ${isFound}) i
    LIMIT ${range.take}`
}
