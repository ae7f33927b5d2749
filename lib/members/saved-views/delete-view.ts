import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { notFound } from '../../core/errors.ts'
import { assertMember } from './assert-member.ts'

/** Deletes one of the member's views. Throws `not_found`. */
export const deleteView = (ctx: Context, id: string): Promise<void> =>
  inTransaction(ctx, async (tx) => {
    const memberId = await assertMember(tx)
    const { count } = await tx.db.savedView.deleteMany({ where: { id, memberId } })
    if (count === 0) throw notFound()
  })
