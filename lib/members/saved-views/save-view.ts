import type { z } from 'zod'
import { MOST_VIEWS, type newView, type SavedView } from '../../platform/api/saved-views.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { AppError } from '../../core/errors.ts'
import { newId } from '../../core/id.ts'
import { assertMember } from './assert-member.ts'

/** Saves a list's filters under a name, in place of the member's view that has it. Throws `conflict` when there are too many. */
export const saveView = (ctx: Context, { list, name, query }: z.output<typeof newView>): Promise<SavedView> =>
  inTransaction(ctx, async (tx) => {
    const memberId = await assertMember(tx)
    const { organizationId } = tx
    const key = { organizationId, memberId, list, name }
    const others = await tx.db.savedView.count({ where: { memberId, list, NOT: { name } } })
    if (others >= MOST_VIEWS)
      throw new AppError('conflict', `There are ${MOST_VIEWS} views of this list. Delete one first.`)
    return tx.db.savedView.upsert({
      where: { organizationId_memberId_list_name: key },
      create: { ...key, id: newId(), query, createdAt: tx.now() },
      update: { query },
      select: { id: true, list: true, name: true, query: true },
    })
  })
