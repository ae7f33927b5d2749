import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { nameTaken, notFound } from '../../core/errors.ts'
import { isUniqueViolation } from '../../db/errors.ts'
import { assertMember } from './assert-member.ts'

/** Gives one of the member's views another name. Throws `name_taken` and `not_found`. */
export async function renameView(ctx: Context, id: string, { name }: { name: string }): Promise<void> {
  try {
    await inTransaction(ctx, async (tx) => {
      const memberId = await assertMember(tx)
      const { count } = await tx.db.savedView.updateMany({ where: { id, memberId }, data: { name } })
      if (count === 0) throw notFound()
    })
  } catch (error) {
    if (isUniqueViolation(error, 'name')) throw nameTaken('a view', name)
    throw error
  }
}
