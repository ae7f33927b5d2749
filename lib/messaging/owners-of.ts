import type { Context } from '../platform/auth/context.ts'
import { peopleOf } from '../platform/auth/person.ts'

/** The email addresses of owners who have joined. */
export async function ownersOf({ db }: Context): Promise<string[]> {
  const owners = await db.member.findMany({
    where: { role: 'OWNER', joinedAt: { not: null }, removedAt: null },
    orderBy: { userId: 'asc' },
    select: { userId: true },
  })
  return [...(await peopleOf(owners.map(({ userId }) => userId))).values()].map(({ email }) => email)
}
