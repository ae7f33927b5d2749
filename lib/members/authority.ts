import { Prisma } from '../../generated/prisma/client.ts'
import type { Context } from '../platform/auth/context.ts'
import { AppError } from '../core/errors.ts'

/** Locks the organization's members until the transaction ends, so that two owners can't remove each other at the same time. */
export const lockMembers = (tx: Context) =>
  tx.sql(
    Prisma.sql`SELECT id FROM members WHERE organization_id = ${tx.organizationId}::uuid ORDER BY id FOR NO KEY UPDATE`,
  )

/** Whether another owner has joined. Call it with the members locked. */
export const hasAnotherOwner = async (tx: Context, memberId: string): Promise<boolean> =>
  (await tx.db.member.count({
    where: { id: { not: memberId }, role: 'OWNER', removedAt: null, joinedAt: { not: null } },
  })) > 0

/** Throws `last_owner` unless another owner has joined. Call it with the members locked. */
export async function assertAnotherOwner(tx: Context, memberId: string): Promise<void> {
  if (!(await hasAnotherOwner(tx, memberId)))
    throw new AppError('last_owner', 'This is the last owner who has joined. Make somebody else an owner first.')
}
