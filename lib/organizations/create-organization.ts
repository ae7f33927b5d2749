import { inTransaction, type WorkerContext } from '../platform/auth/context.ts'
import { newId } from '../core/id.ts'

export type NewOrganization = { organizationId: string; memberId: string; userId: string }

/** Creates an organization with its first owner, who counts as joined. */
export const createOrganization = (
  worker: WorkerContext,
  { name, owner_email }: { name: string; owner_email: string },
): Promise<NewOrganization> =>
  inTransaction(worker, async (tx) => {
    const organizationId = newId()
    const memberId = newId()
    await tx.db.organization.create({ data: { id: organizationId, name } })
    const user = await tx.db.user.upsert({
      where: { email: owner_email },
      create: { email: owner_email },
      update: { email: owner_email },
    })
    await tx.db.member.create({
      data: { id: memberId, organizationId, userId: user.id, role: 'OWNER', joinedAt: tx.now() },
    })
    return { organizationId, memberId, userId: user.id }
  })
