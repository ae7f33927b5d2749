import { type Collection, Prisma } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { notFound } from '../../core/errors.ts'

/**
 * The collection's row, locked until the transaction ends. Throws `not_found`; `missing` words it where the id isn't
 * the path's.
 */
export async function lockCollection(tx: Context, id: string, missing = notFound): Promise<Collection> {
  await tx.sql(Prisma.sql`
    SELECT 1 FROM collections WHERE id = ${id}::uuid AND organization_id = ${tx.organizationId}::uuid FOR UPDATE`)
  const row = await tx.db.collection.findFirst({ where: { id } })
  if (!row) throw missing()
  return row
}
