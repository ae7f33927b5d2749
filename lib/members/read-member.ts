import type { z } from 'zod'
import { type Member, Prisma } from '../../generated/prisma/client.ts'
import type { member } from '../platform/api/members.ts'
import type { Context } from '../platform/auth/context.ts'
import { peopleOf } from '../platform/auth/person.ts'
import { columns } from '../db/columns.ts'
import type { Statement } from '../db/statements.ts'
import { notFound } from '../core/errors.ts'

export type ShownMember = z.output<typeof member>

/** Members as the API shows them, with their email and name. */
export async function showMembers(rows: readonly Member[]): Promise<ShownMember[]> {
  const people = await peopleOf(rows.map(({ userId }) => userId))
  return rows.flatMap((row) => {
    const person = people.get(row.userId)
    return person ? [memberOf(row, person)] : []
  })
}

const memberOf = (row: Member, { email, name }: { email: string; name: string | null }): ShownMember => ({
  id: row.id,
  email,
  name,
  role: row.role,
  status: row.joinedAt ? 'ACTIVE' : 'INVITED',
  invited_by_id: row.invitedById,
  invited_at: row.invitedAt,
  joined_at: row.joinedAt,
  created_at: row.createdAt,
})

export async function showMember(row: Member): Promise<ShownMember> {
  const [shown] = await showMembers([row])
  if (!shown) throw notFound()
  return shown
}

const MEMBER: Statement = {
  name: 'member_by_id',
  text: `SELECT ${columns('members', 'Member', Object.values(Prisma.MemberScalarFieldEnum))}
    FROM members WHERE organization_id = $1::uuid AND id = $2::uuid AND removed_at IS NULL`,
}

/** The row of a member who hasn't been removed; throws `not_found`. */
export async function readMember(ctx: Context, id: string): Promise<Member> {
  const [row] = await ctx.rows<Member>(MEMBER, ctx.organizationId, id)
  if (!row) throw notFound()
  return row
}
