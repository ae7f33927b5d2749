import { recordAudit } from '../../records/audit/record-audit.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { AppError, notFound } from '../../core/errors.ts'
import { isForeignKeyViolation } from '../../db/errors.ts'

const inUse = () =>
  new AppError('collection_in_use', 'This collection has items or a contract. Only an empty one can be deleted.')

/** Deletes a collection without items and contract. Throws `collection_in_use` for any other. */
export async function deleteCollection(ctx: Context, id: string): Promise<undefined> {
  try {
    return await inTransaction(ctx, async (tx) => {
      const { count } = await tx.db.collection.deleteMany({ where: { id, deploymentStatus: null } })
      if (count === 0)
        throw (await tx.db.collection.findFirst({ where: { id }, select: { id: true } })) ? inUse() : notFound()
      await recordAudit(tx, { action: 'collection.deleted', subject: { type: 'collection', id } })
      return undefined
    })
  } catch (error) {
    if (isForeignKeyViolation(error)) throw inUse()
    throw error
  }
}
