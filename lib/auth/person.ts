import { systemClient } from '../db/client.ts'
import type { Context } from './context.ts'

export type Person = { memberId: string; email: string; name: string | null; role: 'OWNER' | 'ADMIN' | 'EDITOR' | 'VIEWER' }

/** The member behind a request: the one signed in, or the one whose key it is. */
export const memberIdOf = ({ actor }: Context): string | null =>
  actor.type === 'member' ? actor.id : actor.type === 'api_key' ? actor.memberId : null

/** Who that member is. People belong to no organization, so this is asked past its walls, for a member within them. */
export async function personOf(ctx: Context): Promise<Person | null> {
  const memberId = memberIdOf(ctx)
  const member = memberId === null ? null : await ctx.db.member.findFirst({ where: { id: memberId } })
  const user = member && (await systemClient().user.findUnique({ where: { id: member.userId } }))
  return user ? { memberId: member.id, email: user.email, name: user.name, role: member.role } : null
}
