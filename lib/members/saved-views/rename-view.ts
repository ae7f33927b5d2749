import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { nameTaken, notFound } from '../../core/errors.ts'
import { isUniqueViolation } from '../../db/errors.ts'
import type { Opened } from '../../platform/api/form-action.ts'
import { assertNotChangedMeanwhile } from '../../platform/http/changed-fields.ts'
import { assertMember } from './assert-member.ts'

/**
 * Gives one of the member's views another name. `opened`: the name that the page showed. Throws `name_taken`,
 * `not_found` and ChangedMeanwhile, where another page renamed it.
 */
export async function renameView(ctx: Context, id: string, { name }: { name: string }, opened: Opened): Promise<void> {
  try {
    await inTransaction(ctx, async (tx) => {
      const memberId = await assertMember(tx)
      const view = await tx.db.savedView.findFirst({ where: { id, memberId }, select: { name: true } })
      if (!view) throw notFound()
      assertNotChangedMeanwhile(view, [{ path: ['name'], opened: opened.name, sent: name }], opened)
      await tx.db.savedView.updateMany({ where: { id, memberId }, data: { name } })
    })
  } catch (error) {
    if (isUniqueViolation(error, 'name')) throw nameTaken('a view', name)
    throw error
  }
}
