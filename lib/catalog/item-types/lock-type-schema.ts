import type { StatementContext } from '../../platform/auth/context.ts'
import { unknownId } from '../../core/errors.ts'
import type { Statement } from '../../db/statements.ts'
import type { Schema } from './compile-schema.ts'
import type { TypeSchema } from './validate-attributes.ts'

const READ: Statement = {
  name: 'read_type_schema',
  text: 'SELECT schema, updated_at FROM item_types WHERE id = $1::uuid AND organization_id = $2::uuid',
}
const LOCK: Statement = { name: 'lock_type_schema', text: `${READ.text} FOR SHARE` }

/**
 * The schema of an item type, locked against changes until the transaction ends. null stands for the built-in type.
 * Throws `not_found` about `field`.
 */
export const lockTypeSchema = (
  tx: StatementContext,
  itemTypeId: string | null,
  field = 'item_type_id',
): Promise<TypeSchema> => schemaOf(tx, LOCK, itemTypeId, field)

/**
 * The schema of an item type, without a lock. null stands for the built-in type. Throws `not_found` about
 * `item_type_id`.
 */
export const readTypeSchema = (ctx: StatementContext, itemTypeId: string | null): Promise<TypeSchema> =>
  schemaOf(ctx, READ, itemTypeId, 'item_type_id')

async function schemaOf(
  ctx: StatementContext,
  statement: Statement,
  itemTypeId: string | null,
  field: string,
): Promise<TypeSchema> {
  if (itemTypeId === null) return null
  const [row] = await ctx.rows<{ schema: Schema; updated_at: Date }>(statement, itemTypeId, ctx.organizationId)
  if (!row) throw unknownId(field, 'item type')
  return { id: itemTypeId, version: row.updated_at.getTime(), schema: row.schema }
}
