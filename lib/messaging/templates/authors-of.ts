import type { Context } from '../../platform/auth/context.ts'
import { peopleOf } from '../../platform/auth/person.ts'

/** The email address of each member who wrote a version. Members who have left are omitted. */
export async function authorsOf(ctx: Context, memberIds: (string | null)[]): Promise<Map<string, string>> {
  const ids = [...new Set(memberIds.flatMap((id) => id ?? []))]
  if (ids.length === 0) return new Map()
  const members = await ctx.db.member.findMany({
    where: { id: { in: ids }, removedAt: null },
    select: { id: true, userId: true },
  })
  const people = await peopleOf(members.map(({ userId }) => userId))
  return new Map(members.map(({ id, userId }) => [id, people.get(userId)?.email ?? '']))
}
