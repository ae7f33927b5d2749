import type { Context } from '../../platform/auth/context.ts'
import { columns, type RowOf } from '../../db/columns.ts'
import type { Statement } from '../../db/statements.ts'
import { peopleOf } from '../../platform/auth/person.ts'

const AUTHOR = columns('m', 'Member', ['id', 'userId'])
const AUTHORS: Statement = {
  name: 'authors_of_templates',
  text: `SELECT ${AUTHOR} FROM members m
    WHERE organization_id = $1::uuid AND id = ANY ($2::uuid[]) AND removed_at IS NULL`,
}

/** The email address of each member who wrote a version. Members who have left are omitted. */
export async function authorsOf(ctx: Context, memberIds: (string | null)[]): Promise<Map<string, string>> {
  const ids = [...new Set(memberIds.flatMap((id) => id ?? []))]
  if (ids.length === 0) return new Map()
  const members = await ctx.rows<RowOf<typeof AUTHOR>>(AUTHORS, ctx.organizationId, ids)
  const people = await peopleOf(members.map(({ userId }) => userId))
  return new Map(members.map(({ id, userId }) => [id, people.get(userId)?.email ?? '']))
}
