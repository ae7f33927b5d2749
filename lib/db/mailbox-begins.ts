import { Prisma } from '../../generated/prisma/client.ts'
import { asStoredEmail } from '../core/email-address.ts'

/** The beginning of a stored mailbox, by how a person wrote it. Domains are stored as DNS has them. */
export const beginningOfMailbox = (written: string): string =>
  written.includes('@') ? asStoredEmail(written) : written.toLowerCase()

/** Whatever begins so comes before the second one. */
export function rangeOfMailboxes(written: string): [from: string, to: string] {
  const beginning = beginningOfMailbox(written)
  return [beginning, `${beginning}\u{10ffff}`]
}

/** A column of mailboxes begins so: a range that an index by bytes answers. */
export function mailboxBegins(column: string, written: string): Prisma.Sql {
  const [from, to] = rangeOfMailboxes(written)
  const value = Prisma.raw(`${column} COLLATE "C"`)
  return Prisma.sql`${value} >= ${from} AND ${value} < ${to}`
}
