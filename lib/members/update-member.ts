import type { Input, Output } from '../platform/api/endpoint.ts'
import type { updateMember as endpoint } from '../platform/api/members.ts'
import { recordAudit } from '../records/audit/record-audit.ts'
import { type Context, inTransaction } from '../platform/auth/context.ts'
import { assertMayGive, assertWithinOwnRole, isAbove } from '../platform/auth/roles.ts'
import { onProtectedChange } from '../messaging/on-protected-change.ts'
import { lockMembers, assertAnotherOwner } from './authority.ts'
import { readMember, showMember } from './read-member.ts'

/**
 * Changes a member's role, which applies to their sessions and API keys at once. Throws `role_beyond_own` and
 * `last_owner`.
 */
export const updateMember = (
  ctx: Context,
  id: string,
  { role }: Input<typeof endpoint>['body'],
): Promise<Output<typeof endpoint>> =>
  inTransaction(ctx, async (tx) => {
    await lockMembers(tx)
    const before = await readMember(tx, id)
    if (role === undefined || role === before.role) return showMember(before)
    await assertWithinOwnRole(tx, [before.role, role])
    if (isAbove(role, before.role)) await assertMayGive(tx, role)
    if (before.role === 'OWNER') await assertAnotherOwner(tx, id)
    const { email } = await showMember(before)
    // Before the change, so that an owner who loses the role is told too.
    if (before.role === 'OWNER') await onProtectedChange(tx, { what: 'ownerNoMore', email })
    if (role === 'OWNER') await onProtectedChange(tx, { what: 'ownerMade', email })
    const after = await tx.db.member.update({ where: { id }, data: { role } })
    await recordAudit(tx, {
      action: 'member.updated',
      subject: { type: 'member', id },
      before: { role: before.role },
      after: { role },
    })
    return showMember(after)
  })
