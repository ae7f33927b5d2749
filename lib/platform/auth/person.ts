import { Prisma } from '../../../generated/prisma/client.ts'
import { systemClient } from '../../db/client.ts'
import { columns, type RowOf } from '../../db/columns.ts'
import type { Statement } from '../../db/statements.ts'
import type { Context } from './context.ts'
import { emailOf } from './sign-in.ts'

// People belong to no organization, so these functions read them with the system client, across the tenancy boundary.

export type Person = {
  memberId: string
  email: string
  name: string | null
  /** The language that they chose. */
  locale: string | null
  role: 'OWNER' | 'ADMIN' | 'EDITOR' | 'VIEWER'
}

/** The id of the member behind a request: the one signed in, or the API key's; null for other actors. */
export const memberIdOf = ({ actor }: Context): string | null =>
  actor.type === 'member' ? actor.id : actor.type === 'api_key' ? actor.memberId : null

const COLUMNS = columns('m', 'Member', ['id', 'userId', 'role'])
const MEMBER: Statement = {
  name: 'member_of_request',
  text: `SELECT ${COLUMNS} FROM members m WHERE organization_id = $1::uuid AND id = $2::uuid`,
}

/** The member behind a request as a person, or null. */
export async function personOf(ctx: Context): Promise<Person | null> {
  const memberId = memberIdOf(ctx)
  const [member] = memberId === null ? [] : await ctx.rows<RowOf<typeof COLUMNS>>(MEMBER, ctx.organizationId, memberId)
  const user = member && (await systemClient().user.findUnique({ where: { id: member.userId } }))
  return user
    ? { memberId: member.id, email: user.email, name: user.name, locale: user.locale, role: member.role }
    : null
}

/** Emails and names of people, by user id. */
export async function peopleOf(userIds: string[]): Promise<Map<string, { email: string; name: string | null }>> {
  const users = await systemClient().user.findMany({
    where: { id: { in: userIds } },
    select: { id: true, email: true, name: true },
  })
  return new Map(users.map(({ id, ...person }) => [id, person]))
}

/**
 * Where people are mailed about their organizations, and the language that they chose, in this order: nobody whom an
 * operator has disabled.
 */
export async function mailboxesOf(userIds: string[]): Promise<{ email: string; locale: string | null }[]> {
  const users = await systemClient().user.findMany({
    where: { id: { in: userIds }, disabledAt: null },
    select: { id: true, email: true, locale: true },
  })
  const byId = new Map(users.map(({ id, ...mailbox }) => [id, mailbox]))
  return userIds.flatMap((id) => byId.get(id) ?? [])
}

/** The language that a person chose, and those of their organizations, oldest membership first. */
type Locales = { chosen: string | null; organizations: (string | null)[] }

/** The languages of whoever has this email address; none where nobody has. */
export async function localesOf(email: string): Promise<Locales> {
  const [found] = await systemClient().$queryRaw<Locales[]>(Prisma.sql`
    SELECT u.locale AS chosen, ARRAY(
        SELECT o.locale FROM members m JOIN organizations o ON o.id = m.organization_id
        WHERE m.user_id = u.id AND m.removed_at IS NULL ORDER BY m.id) AS organizations
    FROM users u WHERE u.email = ${emailOf(email)}`)
  return found ?? { chosen: null, organizations: [] }
}

/** The user id of an email address, or null. */
export const findPerson = async (email: string): Promise<string | null> =>
  (await systemClient().user.findUnique({ where: { email: emailOf(email) }, select: { id: true } }))?.id ?? null

/** The user id of an email address; the user is created if missing. A user without a membership can do nothing. */
export async function findOrCreatePerson(email: string): Promise<string> {
  // An empty `update` would make Prisma read first and then insert, which two callers at once can't both do.
  const user = await systemClient().user.upsert({
    where: { email: emailOf(email) },
    create: { email: emailOf(email) },
    update: { email: emailOf(email) },
    select: { id: true },
  })
  return user.id
}

/** The organizations that a person is a member of or invited to, oldest membership first. */
export async function organizationIdsOf(userId: string): Promise<string[]> {
  const members = await systemClient().member.findMany({
    where: { userId, removedAt: null },
    orderBy: { id: 'asc' },
    select: { organizationId: true },
  })
  return members.map(({ organizationId }) => organizationId)
}
