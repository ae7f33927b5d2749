import { Prisma } from '../../../generated/prisma/client.ts'
import type { Range } from '../../core/page.ts'
import type { SearchPlan } from './plan-search.ts'

const { sql } = Prisma

export const orderOf = ({ direction }: Pick<Range, 'direction'>): Prisma.Sql =>
  Prisma.raw(direction === 'asc' ? 'ASC' : 'DESC')

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
  const start =
    range.after === undefined
      ? []
      : [sql`${id} ${Prisma.raw(range.direction === 'asc' ? '>' : '<')} ${range.after}::uuid`]
  const where = Prisma.join([...filters, ...start], ' AND ')
  return sql`FROM ${source} ${joined} WHERE ${where} ORDER BY ${id} ${orderOf(range)} LIMIT ${range.take}`
}
