import { Prisma } from '../../../generated/prisma/client.ts'
import type { Range } from '../../core/paginate.ts'
import type { SearchPlan } from './plan-search.ts'

const { sql } = Prisma

export const orderOf = ({ direction }: Pick<Range, 'direction'>): Prisma.Sql =>
  Prisma.raw(direction === 'asc' ? 'ASC' : 'DESC')

const beyond = (id: Prisma.Sql, { after, direction }: Omit<Range, 'take'>): Prisma.Sql[] =>
  after === undefined ? [] : [sql`${id} ${Prisma.raw(direction === 'asc' ? '>' : '<')} ${after}::uuid`]

/**
 * A page of `items i` and what is joined to them, in the order of their ids: FROM and what follows. The ids of what is rare are put in order first,
 * and looked up one after another until the page is full.
 */
export function pageOf(
  joined: Prisma.Sql,
  filters: Prisma.Sql[],
  range: Omit<Range, 'take'> & { take: number | Prisma.Sql },
  rare: SearchPlan['rare'],
): Prisma.Sql {
  const [source, id] = rare
    ? [
        sql`(${rare.ids}) AS found (id) CROSS JOIN LATERAL (SELECT * FROM items WHERE id = found.id OFFSET 0) i`,
        sql`found.id`,
      ]
    : [sql`items i`, sql`i.id`]
  const where = Prisma.join([...filters, ...beyond(id, range)], ' AND ')
  return sql`FROM ${source} ${joined} WHERE ${where} ORDER BY ${id} ${orderOf(range)} LIMIT ${range.take}`
}

/**
 * The same of what many items have: they are looked at in their order until the page is full. OFFSET 0 keeps the order apart from what is searched
 * for, of which the planner knows nothing: it would take that for rare, read all items and sort what it found.
 */
export function pageInOrder(filters: Prisma.Sql[], searched: Prisma.Sql[], range: Range): Prisma.Sql {
  const where = Prisma.join([...filters, ...beyond(sql`i.id`, range)], ' AND ')
  return sql`FROM (SELECT * FROM items i WHERE ${where} ORDER BY i.id ${orderOf(range)} OFFSET 0) i
    WHERE ${Prisma.join(searched, ' AND ')} LIMIT ${range.take}`
}
