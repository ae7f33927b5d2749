import { Prisma } from '../../generated/prisma/client.ts'
import type { Range } from '../core/page.ts'
import type { Reach } from './scope.ts'

/** A value of an enum as a literal: no partial index serves a parameter, since its cast to the enum isn't immutable. */
export function literal(value: string): Prisma.Sql {
  if (!/^[A-Z0-9_]+$/.test(value)) throw new Error(`${value} is no value of an enum.`)
  return Prisma.raw(`'${value}'`)
}

/**
 * The ids of one page of a table, for conditions on enums that partial indexes answer, in the order of such an index. `few`: what an index
 * answers is sorted instead, where walking another one in its order would look cheaper and read all that isn't wanted.
 */
export async function pageOfIds(
  { sql }: Pick<Reach, 'sql'>,
  table: string,
  conditions: Prisma.Sql[],
  { after, direction, take }: Range,
  { few = false } = {},
): Promise<string[]> {
  const [beyond, order] = direction === 'asc' ? (['>', 'ASC'] as const) : (['<', 'DESC'] as const)
  const start = after === undefined ? [] : [Prisma.sql`id ${Prisma.raw(beyond)} ${after}::uuid`]
  const where = Prisma.join([...conditions, ...start], ' AND ')
  // No index gives the order of the text, which is the same.
  const key = few ? Prisma.sql`id::text` : Prisma.raw(`${table}.id`)
  const rows = await sql<{ id: string }>(
    Prisma.sql`SELECT id::text FROM ${Prisma.raw(table)} WHERE ${where} ORDER BY ${key} ${Prisma.raw(order)} LIMIT ${take}`,
  )
  return rows.map(({ id }) => id)
}
