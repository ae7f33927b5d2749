import { Prisma } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { notFound } from '../../core/errors.ts'
import type { TypeSchema, Schema } from './validate-attributes.ts'

/** The schema of an item type, locked against changes until the transaction ends. null stands for the built-in type. Throws `not_found`. */
export async function lockTypeSchema(tx: Context, itemTypeId: string | null): Promise<TypeSchema> {
  if (itemTypeId === null) return null
  const [row] = await tx.sql<{ schema: Schema; updated_at: Date }>(Prisma.sql`
    SELECT schema, updated_at FROM item_types WHERE id = ${itemTypeId}::uuid AND organization_id = ${tx.organizationId}::uuid FOR SHARE`)
  if (!row) throw notFound()
  return { id: itemTypeId, version: row.updated_at.getTime(), schema: row.schema }
}
