import type { StatementContext } from '../../platform/auth/context.ts'
import { notFound } from '../../core/errors.ts'
import type { Statement } from '../../db/statements.ts'
import type { TypeSchema, Schema } from './validate-attributes.ts'

const LOCK: Statement = {
  name: 'lock_type_schema',
  text: 'SELECT schema, updated_at FROM item_types WHERE id = $1::uuid AND organization_id = $2::uuid FOR SHARE',
}

/** The schema of an item type, locked against changes until the transaction ends. null stands for the built-in type. Throws `not_found`. */
export async function lockTypeSchema(tx: StatementContext, itemTypeId: string | null): Promise<TypeSchema> {
  if (itemTypeId === null) return null
  const [row] = await tx.rows<{ schema: Schema; updated_at: Date }>(LOCK, itemTypeId, tx.organizationId)
  if (!row) throw notFound()
  return { id: itemTypeId, version: row.updated_at.getTime(), schema: row.schema }
}
