import { Prisma } from '../../generated/prisma/client.ts'

/** Whatever begins with the text, in lower case, comes before the second one. */
export const rangeOfBeginning = (text: string): [from: string, to: string] => [
  text.toLowerCase(),
  `${text.toLowerCase()}\u{10ffff}`,
]

/** A column of texts in lower case begins with the text, in any case: a range that an index by bytes answers. */
export function beginsWith(column: string, text: string): Prisma.Sql {
  const [from, to] = rangeOfBeginning(text)
  const value = Prisma.raw(`${column} COLLATE "C"`)
  return Prisma.sql`${value} >= ${from} AND ${value} < ${to}`
}
