import { Prisma } from '../../generated/prisma/client.ts'
import { type Role, ROLES } from '../platform/api/permissions.ts'
import type { Context } from '../platform/auth/context.ts'
import { memberIdOf } from '../platform/auth/person.ts'
import { AppError } from '../core/errors.ts'

/** Locks the organization's members until the transaction ends, so that two owners can't remove each other at the same time. */
export const lockMembers = (tx: Context) =>
  tx.sql(
    Prisma.sql`SELECT id FROM members WHERE organization_id = ${tx.organizationId}::uuid ORDER BY id FOR NO KEY UPDATE`,
  )

/**
 * Throws `role_beyond_own` when one of `roles` is above the caller's own, `forbidden` when the caller is no member. The
 * system may manage everybody.
 */
export async function assertMayManage(ctx: Context, ...roles: Role[]): Promise<void> {
  if (ctx.actor.type === 'system') return
  const memberId = memberIdOf(ctx)
  const own =
    memberId === null
      ? null
      : await ctx.db.member.findFirst({ where: { id: memberId, removedAt: null }, select: { role: true } })
  if (!own) throw new AppError('forbidden', 'Only a member can manage members.')
  if (roles.some((role) => ROLES.indexOf(role) < ROLES.indexOf(own.role)))
    throw new AppError(
      'role_beyond_own',
      'This role is beyond your own: only an owner makes, changes and removes owners.',
    )
}

/** Throws `last_owner` unless another owner has joined. Call it with the members locked. */
export async function assertAnotherOwner(tx: Context, memberId: string): Promise<void> {
  const others = await tx.db.member.count({
    where: { id: { not: memberId }, role: 'OWNER', removedAt: null, joinedAt: { not: null } },
  })
  if (others === 0)
    throw new AppError('last_owner', 'This is the last owner who has joined. Make somebody else an owner first.')
}
