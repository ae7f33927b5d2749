import type { AnyContext } from '../platform/auth/context.ts'
import { addressesOf } from '../platform/auth/person.ts'

/** The email addresses of an organization's owners who have joined. */
export async function ownersOf({ db }: AnyContext, organizationId: string): Promise<string[]> {
  const owners = await db.member.findMany({
    where: { organizationId, role: 'OWNER', joinedAt: { not: null }, removedAt: null },
    orderBy: { userId: 'asc' },
    select: { userId: true },
  })
  return addressesOf(owners.map(({ userId }) => userId))
}
