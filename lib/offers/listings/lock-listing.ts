import { type Listing, Prisma } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { notFound } from '../../core/errors.ts'

/**
 * The listing's row, locked until the transaction ends. Lock it before its items and holds. The lock lets others insert
 * and delete rows that refer to the listing; a stronger one (FOR UPDATE) would wait for them. Throws `not_found`.
 */
export async function lockListing(tx: Context, id: string): Promise<Listing> {
  const [locked] = await tx.sql(Prisma.sql`SELECT id FROM listings WHERE id = ${id}::uuid FOR NO KEY UPDATE`)
  const row = locked && (await tx.db.listing.findFirst({ where: { id } }))
  if (!row) throw notFound()
  return row
}
