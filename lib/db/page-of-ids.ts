import { Prisma } from '../../generated/prisma/client.ts'
import type { Range } from '../core/page.ts'
import type { Reach } from './scope.ts'

/** A value of an enum as a literal: no partial index serves a parameter, since its cast to the enum isn't immutable. */
export function literal(value: string): Prisma.Sql {
  if (!/^[A-Z0-9_]+$/.test(value)) throw new Error(`${value} is no value of an enum.`)
  return Prisma.raw(`'${value}'`)
}

/** The ids of one page of a table, for conditions on enums that partial indexes answer. */
export async function pageOfIds(
  { sql }: Pick<Reach, 'sql'>,
  table: string,
  conditions: Prisma.Sql[],
  { after, direction, take }: Range,
): Promise<string[]> {
  const [beyond, order] = direction === 'asc' ? (['>', 'ASC'] as const) : (['<', 'DESC'] as const)
  const start = after === undefined ? [] : [Prisma.sql`id ${Prisma.raw(beyond)} ${after}::uuid`]
  const where = Prisma.join([...conditions, ...start], ' AND ')
  const rows = await sql<{ id: string }>(
    Prisma.sql`SELECT id::text FROM ${Prisma.raw(table)} WHERE ${where} ORDER BY id ${Prisma.raw(order)} LIMIT ${take}`,
  )
  return rows.map(({ id }) => id)
}
