import { Prisma } from '../../generated/prisma/client.ts'
import type { Context } from '../platform/auth/context.ts'
import { mailboxesOf } from '../platform/auth/person.ts'
import { AppError } from '../core/errors.ts'

/**
 * Locks the organization's members until the transaction ends, so that two owners can't remove each other at the same
 * time.
 */
export const lockMembers = (tx: Context) =>
  tx.sql(
    Prisma.sql`SELECT id FROM members WHERE organization_id = ${tx.organizationId}::uuid ORDER BY id FOR NO KEY UPDATE`,
  )

/** Whether another owner has joined, whom no operator has disabled. Call it with the members locked. */
export async function hasAnotherOwner(tx: Context, memberId: string): Promise<boolean> {
  const others = await tx.db.member.findMany({
    where: { id: { not: memberId }, role: 'OWNER', removedAt: null, joinedAt: { not: null } },
    select: { userId: true },
  })
  return (await mailboxesOf(others.map(({ userId }) => userId))).length > 0
}

/** Throws `last_owner` unless another owner has joined. Call it with the members locked. */
export async function assertAnotherOwner(tx: Context, memberId: string): Promise<void> {
  if (!(await hasAnotherOwner(tx, memberId)))
    throw new AppError('last_owner', 'This is the last owner who has joined. Make somebody else an owner first.')
}
