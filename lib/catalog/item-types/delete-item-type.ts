import { recordAudit } from '../../records/audit/record-audit.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { AppError, notFound } from '../../core/errors.ts'
import { isForeignKeyViolation } from '../../db/errors.ts'

/** Deletes an unused item type. Throws `item_type_in_use`. */
export async function deleteItemType(ctx: Context, id: string): Promise<undefined> {
  try {
    return await inTransaction(ctx, async (tx) => {
      const { count } = await tx.db.itemType.deleteMany({ where: { id } })
      if (count === 0) throw notFound()
      await recordAudit(tx, { action: 'item_type.deleted', subject: { type: 'item_type', id } })
      return undefined
    })
  } catch (error) {
    if (isForeignKeyViolation(error)) throw new AppError('item_type_in_use', 'Items or collections use this type.')
    throw error
  }
}
