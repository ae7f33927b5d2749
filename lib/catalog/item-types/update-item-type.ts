import { isDeepStrictEqual } from 'node:util'
import { Prisma } from '../../../generated/prisma/client.ts'
import type { Input, Output } from '../../platform/api/endpoint.ts'
import type { updateItemType as endpoint } from '../../platform/api/item-types.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { AppError, nameTaken, notFound } from '../../core/errors.ts'
import { isUniqueViolation } from '../../db/errors.ts'
import { assertSchemaValid } from './validate-attributes.ts'
import { typesInUse, itemTypeOf } from './show-item-type.ts'

/**
 * Changes an item type. Its row is locked first, so that an item that begins to use the type waits and is validated by
 * the new schema. Throws `name_taken`, `schema_invalid`, and `item_type_in_use` for a changed schema.
 */
export async function updateItemType(
  ctx: Context,
  id: string,
  { name, schema }: Input<typeof endpoint>['body'],
): Promise<Output<typeof endpoint>> {
  if (schema) await assertSchemaValid(ctx, schema)
  try {
    return await inTransaction(ctx, async (tx) => {
      await tx.sql(Prisma.sql`
        SELECT 1 FROM item_types WHERE id = ${id}::uuid AND organization_id = ${tx.organizationId}::uuid FOR UPDATE`)
      const before = await tx.db.itemType.findFirst({ where: { id } })
      if (!before) throw notFound()
      const changed = schema !== undefined && !isDeepStrictEqual(schema, before.schema)
      if (changed && (await typesInUse(tx, [id])).size > 0)
        throw new AppError(
          'item_type_in_use',
          'Items or collections use this type: its schema can’t change any more. Make another type.',
        )
      const row = await tx.db.itemType.update({
        where: { id },
        // A schema that differs only in the order of its keys is saved too: forms use that order.
        data: {
          ...(name !== undefined && { name }),
          ...(schema !== undefined && { schema }),
        },
      })
      const shown = await itemTypeOf(tx, row)
      await recordAudit(tx, { action: 'item_type.updated', subject: { type: 'item_type', id }, before, after: row })
      return shown
    })
  } catch (error) {
    if (isUniqueViolation(error, 'name')) throw nameTaken('an item type', name)
    throw error
  }
}
