import { type Role, ROLES } from '../platform/api/permissions.ts'
import { type Context, inTransaction } from '../platform/auth/context.ts'
import { contextsOfPerson } from '../platform/auth/narrow-contexts.ts'
import { mailOwners } from '../messaging/on-protected-change.ts'
import { recordAudit } from '../records/audit/record-audit.ts'
import { hasAnotherOwner, lockMembers } from './authority.ts'
import { showMember } from './read-member.ts'

/**
 * Gives somebody who signs in with the OpenID Connect provider the highest role that it says, in each of their
 * organizations that follows it. Whoever it says no role of becomes a viewer, but the last owner who has joined stays
 * one.
 * @param role null: the provider says none.
 */
export async function followOidcRole(
  caller: Pick<Context, 'requestId' | 'clientAddress'>,
  { email, role }: { email: string; role: Role | null },
): Promise<void> {
  const person = await contextsOfPerson(email, caller)
  for (const own of person?.contexts ?? [])
    await inTransaction(own, (tx) => follow(tx, { userId: person!.userId, role: role ?? LOWEST }))
}

const LOWEST = ROLES.at(-1)!

async function follow(tx: Context, { userId, role }: { userId: string; role: Role }): Promise<void> {
  const where = { id: tx.organizationId, followsOidcRoles: true }
  if (!(await tx.db.organization.findFirst({ where, select: { id: true } }))) return
  await lockMembers(tx)
  const before = await tx.db.member.findFirst({ where: { userId, removedAt: null } })
  if (!before || before.role === role) return
  const { id } = before
  const { email } = await showMember(before)
  if (before.role === 'OWNER' && !(await hasAnotherOwner(tx, id))) return
  // Before the change, so that an owner who loses the role is told too.
  if (role === 'OWNER' || before.role === 'OWNER')
    await mailOwners(tx, { what: role === 'OWNER' ? 'ownerMade' : 'ownerNoMore', email }, null)
  await tx.db.member.update({ where: { id }, data: { role } })
  await recordAudit(tx, {
    action: 'member.role_followed',
    subject: { type: 'member', id },
    before: { role: before.role },
    after: { role },
  })
}
