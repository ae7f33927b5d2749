import type { z } from 'zod'
import { MOST_VIEWS, type newView, type SavedView } from '../../platform/api/saved-views.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { AppError } from '../../core/errors.ts'
import { newId } from '../../core/id.ts'
import type { Opened } from '../../platform/api/form-action.ts'
import { assertNotChangedMeanwhile } from '../../platform/http/changed-fields.ts'
import { assertMember } from './assert-member.ts'

/**
 * Saves a list's filters under a name. `opened`: a name and the filters that the person knows to have it, which these
 * replace. Throws ChangedMeanwhile where the name has others, and `conflict` when there are too many.
 */
export const saveView = (
  ctx: Context,
  { list, name, query }: z.output<typeof newView>,
  opened: Opened = {},
): Promise<SavedView> =>
  inTransaction(ctx, async (tx) => {
    const memberId = await assertMember(tx)
    const { organizationId } = tx
    const key = { organizationId, memberId, list, name }
    const taken = await tx.db.savedView.findFirst({ where: key, select: { query: true } })
    const known: Opened = opened.name === name ? opened : { name }
    if (taken) assertNotChangedMeanwhile(taken, [{ path: ['query'], opened: known.query, sent: query }], known)
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
