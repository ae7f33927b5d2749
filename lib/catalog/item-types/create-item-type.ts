import type { Input, Output } from '../../platform/api/endpoint.ts'
import type { createItemType as endpoint } from '../../platform/api/item-types.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { nameTaken } from '../../core/errors.ts'
import { newId } from '../../core/id.ts'
import { isUniqueViolation } from '../../db/errors.ts'
import { assertSchemaValid } from './validate-attributes.ts'
import { itemTypeOf } from './show-item-type.ts'

/** Creates an item type. Throws `schema_invalid` and `name_taken`. */
export async function createItemType(
  ctx: Context,
  { name, schema }: Input<typeof endpoint>['body'],
): Promise<Output<typeof endpoint>> {
  await assertSchemaValid(ctx, schema)
  try {
    return await inTransaction(ctx, async (tx) => {
      const row = await tx.db.itemType.create({
        data: {
          id: newId(),
          organizationId: tx.organizationId,
          name,
          schema,
          createdAt: tx.now(),
        },
      })
      const shown = await itemTypeOf(tx, row)
      await recordAudit(tx, { action: 'item_type.created', subject: { type: 'item_type', id: row.id }, after: shown })
      return shown
    })
  } catch (error) {
    if (isUniqueViolation(error, 'name')) throw nameTaken('an item type', name)
    throw error
  }
}
