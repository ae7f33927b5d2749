import { type Listing, Prisma } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { notFound } from '../../core/errors.ts'

/**
 * Reads a listing for the rest of the transaction: nobody else moves it meanwhile. Lock it before its holds and items. Rows that
 * point here may come and go: a stronger lock would stand in their way, and they in its.
 */
export async function lockListing(tx: Context, id: string): Promise<Listing> {
  const [locked] = await tx.sql(Prisma.sql`SELECT id FROM listings WHERE id = ${id}::uuid FOR NO KEY UPDATE`)
  const row = locked && (await tx.db.listing.findFirst({ where: { id } }))
  if (!row) throw notFound()
  return row
}
