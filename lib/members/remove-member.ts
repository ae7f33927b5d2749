import { recordAudit } from '../records/audit/record-audit.ts'
import { type Context, inTransaction } from '../platform/auth/context.ts'
import { assertWithinOwnRole } from '../platform/auth/roles.ts'
import { onProtectedChange } from '../messaging/on-protected-change.ts'
import { AppError } from '../core/errors.ts'
import { lockMembers, assertAnotherOwner } from './authority.ts'
import { readMember, showMember } from './read-member.ts'

/**
 * Removes a member and revokes their API keys. Their sessions end too: every request looks the member up. Throws
 * `role_beyond_own` and `last_owner`.
 */
export const removeMember = (ctx: Context, id: string): Promise<undefined> =>
  inTransaction(ctx, async (tx) => {
    await lockMembers(tx)
    const member = await readMember(tx, id)
    await assertWithinOwnRole(tx, [member.role])
    await onProtectedChange(tx, { what: 'memberRemoved', email: (await showMember(member)).email })
    return removeLocked(tx, id, 'member.removed')
  })

/**
 * Removes the caller. Only with a session: a stolen API key must not be able to remove its member. Throws `last_owner`.
 */
export async function leaveOrganization(ctx: Context): Promise<undefined> {
  const { actor } = ctx
  if (actor.type !== 'member') throw new AppError('forbidden', 'Only somebody signed in to the dashboard can leave.')
  return inTransaction(ctx, async (tx) => {
    await lockMembers(tx)
    return removeLocked(tx, actor.id, 'member.left')
  })
}

async function removeLocked(tx: Context, id: string, action: string): Promise<undefined> {
  const { role } = await readMember(tx, id)
  if (role === 'OWNER') await assertAnotherOwner(tx, id)
  await tx.db.member.update({ where: { id }, data: { removedAt: tx.now() } })
  await tx.db.apiKey.updateMany({ where: { memberId: id, revokedAt: null }, data: { revokedAt: tx.now() } })
  await recordAudit(tx, { action, subject: { type: 'member', id }, before: { role } })
  return undefined
}
