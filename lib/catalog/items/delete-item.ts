import { recordAudit } from '../../records/audit/record-audit.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { AppError, notFound } from '../../core/errors.ts'

/** Deletes an unlocked item. Throws `item_already_locked`. */
export const deleteItem = (ctx: Context, id: string): Promise<undefined> =>
  inTransaction(ctx, async (tx) => {
    const { count } = await tx.db.item.deleteMany({ where: { id, lockedAt: null } })
    if (count === 0)
      throw (await tx.db.item.findFirst({ where: { id }, select: { id: true } })) ? isLocked() : notFound()
    await recordAudit(tx, { action: 'item.deleted', subject: { type: 'item', id } })
    return undefined
  })

const isLocked = () => new AppError('item_already_locked', 'This item is locked. Only unlocked items can be deleted.')
