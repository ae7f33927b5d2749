import { inTransaction, type ModelsContext } from '../platform/auth/context.ts'
import { newId } from '../core/id.ts'

export type NewOrganization = { organizationId: string; memberId: string; userId: string }

type OrganizationRequest = {
  name: string
  owner_email: string
  /** Nobody asked for it but its owner: test networks and small quotas until an operator approves it. */
  isNewcomer?: boolean
}

/** Creates an organization with its first owner, who counts as joined. */
export const createOrganization = (
  ctx: ModelsContext<'organization' | 'user' | 'member'>,
  { name, owner_email, isNewcomer = false }: OrganizationRequest,
): Promise<NewOrganization> =>
  inTransaction(ctx, async (tx) => {
    const organizationId = newId()
    const memberId = newId()
    await tx.db.organization.create({ data: { id: organizationId, name, newcomerSince: isNewcomer ? tx.now() : null } })
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
