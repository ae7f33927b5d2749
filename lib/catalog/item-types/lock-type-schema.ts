import type { StatementContext } from '../../platform/auth/context.ts'
import { notFound } from '../../core/errors.ts'
import type { Statement } from '../../db/statements.ts'
import type { TypeSchema, Schema } from './validate-attributes.ts'

const SELECT = 'SELECT schema, updated_at FROM item_types WHERE id = $1::uuid AND organization_id = $2::uuid'
const READ: Statement = { name: 'type_schema', text: SELECT }
const LOCK: Statement = { name: 'lock_type_schema', text: `${SELECT} FOR SHARE` }

/** The schema of an item type. null stands for the built-in type. Throws `not_found`. */
export const readTypeSchema = (ctx: StatementContext, itemTypeId: string | null): Promise<TypeSchema> =>
  schemaBy(READ, ctx, itemTypeId)

/** The same, locked against changes until the transaction ends. */
export const lockTypeSchema = (tx: StatementContext, itemTypeId: string | null): Promise<TypeSchema> =>
  schemaBy(LOCK, tx, itemTypeId)

async function schemaBy(statement: Statement, ctx: StatementContext, itemTypeId: string | null): Promise<TypeSchema> {
  if (itemTypeId === null) return null
  const [row] = await ctx.rows<{ schema: Schema; updated_at: Date }>(statement, itemTypeId, ctx.organizationId)
  if (!row) throw notFound()
  return { id: itemTypeId, version: row.updated_at.getTime(), schema: row.schema }
}
