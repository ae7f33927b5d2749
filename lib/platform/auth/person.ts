import { systemClient } from '../../db/client.ts'
import type { Context } from './context.ts'
import { emailOf } from './sign-in.ts'

/** People belong to no organization: what is asked here is asked past its walls, for its members. */

export type Person = {
  memberId: string
  email: string
  name: string | null
  role: 'OWNER' | 'ADMIN' | 'EDITOR' | 'VIEWER'
}

/** The member behind a request: the one signed in, or the one whose key it is. */
export const memberIdOf = ({ actor }: Context): string | null =>
  actor.type === 'member' ? actor.id : actor.type === 'api_key' ? actor.memberId : null

/** Who that member is. */
export async function personOf(ctx: Context): Promise<Person | null> {
  const memberId = memberIdOf(ctx)
  const member = memberId === null ? null : await ctx.db.member.findFirst({ where: { id: memberId } })
  const user = member && (await systemClient().user.findUnique({ where: { id: member.userId } }))
  return user ? { memberId: member.id, email: user.email, name: user.name, role: member.role } : null
}

/** Emails and names by the person's id. */
export async function peopleOf(userIds: string[]): Promise<Map<string, { email: string; name: string | null }>> {
  const users = await systemClient().user.findMany({
    where: { id: { in: userIds } },
    select: { id: true, email: true, name: true },
  })
  return new Map(users.map(({ id, ...person }) => [id, person]))
}

/** The id of whoever has this mailbox, or null. */
export const findPerson = async (email: string): Promise<string | null> =>
  (await systemClient().user.findUnique({ where: { email: emailOf(email) }, select: { id: true } }))?.id ?? null

/** The same, known from now on. A person without an organization can't do anything. */
export async function findOrCreatePerson(email: string): Promise<string> {
  const user = await systemClient().user.upsert({
    where: { email: emailOf(email) },
    create: { email: emailOf(email) },
    update: {},
    select: { id: true },
  })
  return user.id
}

export type Membership = { organizationId: string; name: string; role: Person['role'] }

/** Every organization a person works in or is invited to, eldest membership first. */
export async function membershipsOf(userId: string): Promise<Membership[]> {
  const members = await systemClient().member.findMany({
    where: { userId, removedAt: null },
    orderBy: { id: 'asc' },
    select: { organizationId: true, role: true },
  })
  const organizations = await systemClient().organization.findMany({
    where: { id: { in: members.map(({ organizationId }) => organizationId) } },
    select: { id: true, name: true },
  })
  const nameOf = new Map(organizations.map(({ id, name }) => [id, name]))
  return members.map((member) => ({ ...member, name: nameOf.get(member.organizationId) ?? '' }))
}
