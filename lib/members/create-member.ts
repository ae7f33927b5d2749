import type { Input, Output } from '../platform/api/endpoint.ts'
import type { createMember as endpoint } from '../platform/api/members.ts'
import { recordAudit } from '../records/audit/record-audit.ts'
import { type Context, inTransaction } from '../platform/auth/context.ts'
import { findOrCreatePerson, memberIdOf } from '../platform/auth/person.ts'
import { assertMayGive } from '../platform/auth/roles.ts'
import { onProtectedChange } from '../messaging/on-protected-change.ts'
import { fieldError } from '../core/errors.ts'
import { newId } from '../core/id.ts'
import { isUniqueViolation } from '../db/errors.ts'
import { lockMembers } from './authority.ts'
import { mailInvitation, createInvitationLink } from './invitation.ts'
import { showMember } from './read-member.ts'

/**
 * Invites somebody by email. A former member gets the same row again, with the new role; their old API keys stay
 * revoked. Throws `member_exists` and `role_beyond_own`.
 */
export async function createMember(
  ctx: Context,
  { email, role }: Input<typeof endpoint>['body'],
): Promise<Output<typeof endpoint>> {
  await assertMayGive(ctx, role)
  const userId = await findOrCreatePerson(email)
  const link = await createInvitationLink(ctx, email)
  const taken = () => fieldError('member_exists', 'email', `${email} is a member already, or invited.`)
  try {
    return await inTransaction(ctx, async (tx) => {
      await lockMembers(tx)
      await assertMayGive(tx, role)
      const past = await tx.db.member.findFirst({ where: { userId } })
      if (past && !past.removedAt) throw taken()
      const invited = { role, invitedById: memberIdOf(tx), invitedAt: tx.now(), joinedAt: null, removedAt: null }
      if (past)
        await tx.db.apiKey.updateMany({ where: { memberId: past.id, revokedAt: null }, data: { revokedAt: tx.now() } })
      const row = past
        ? await tx.db.member.update({ where: { id: past.id }, data: invited })
        : await tx.db.member.create({
            data: { id: newId(), organizationId: tx.organizationId, userId, createdAt: tx.now(), ...invited },
          })
      if (role === 'OWNER') await onProtectedChange(tx, { what: 'ownerInvited', email })
      await recordAudit(tx, {
        action: 'member.invited',
        subject: { type: 'member', id: row.id },
        after: { email, role },
      })
      await mailInvitation(tx, { to: email, role, link })
      return showMember(row)
    })
  } catch (error) {
    if (isUniqueViolation(error, 'user_id')) throw taken()
    throw error
  }
}
