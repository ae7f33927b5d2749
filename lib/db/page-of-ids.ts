import { Prisma } from '../../generated/prisma/client.ts'
import type { Range } from '../core/paginate.ts'
import type { Reach } from './scope.ts'
import type { Value } from './statements.ts'

/** A value of an enum as a literal: no partial index serves a parameter, since its cast to the enum isn't immutable. */
export function literal(value: string): Prisma.Sql {
  if (!/^[A-Z0-9_]+$/.test(value)) throw new Error(`${value} is no value of an enum.`)
  return Prisma.raw(`'${value}'`)
}

/** Rows of a table by conditions on enums that an index answers. */
type Part = { conditions: Prisma.Sql[] }

/**
 * The ids of one page of a table, for conditions on enums that partial indexes answer, in the order of such an index.
 */
export const pageOfIds = (
  reach: Pick<Reach, 'rows'>,
  table: string,
  conditions: Prisma.Sql[],
  range: Range,
): Promise<string[]> => pageOfParts(reach, table, [{ conditions }], range)

/**
 * The ids of one page of rows that are in one of several parts, each with an index of its own. One statement reads all
 * parts: otherwise a row that moves from one part to another meanwhile would be found twice, or not at all.
 */
export async function pageOfParts(
  { rows }: Pick<Reach, 'rows'>,
  table: string,
  parts: readonly Part[],
  { after, direction, take }: Range,
): Promise<string[]> {
  if (parts.length === 0) return []
  const [beyond, order] =
    direction === 'asc' ? [Prisma.raw('>'), Prisma.raw('ASC')] : [Prisma.raw('<'), Prisma.raw('DESC')]
  const start = after === undefined ? [] : [Prisma.sql`id ${beyond} ${after}::uuid`]
  const pages = parts.map(({ conditions }) => {
    const where = Prisma.join([...conditions, ...start], ' AND ')
    return Prisma.sql`(SELECT id FROM ${Prisma.raw(table)}
      WHERE ${where} ORDER BY ${Prisma.raw(table)}.id ${order} LIMIT ${take})`
  })
  const { text, values } =
    Prisma.sql`SELECT id::text FROM (${Prisma.join(pages, ' UNION ALL ')}) page ORDER BY page.id ${order} LIMIT ${take}`
  // Without a name it is planned for its values.
  const found = await rows<{ id: string }>({ name: '', text }, ...(values as Value[]))
  return found.map(({ id }) => id)
}
