import type { Context } from '../../platform/auth/context.ts'
import { listMembers } from '../../members/list-members.ts'

/** Who wrote which version, by address. Members who have left are nobody any more. */
export async function authorsOf(ctx: Context, memberIds: (string | null)[]): Promise<Map<string, string>> {
  if (memberIds.every((id) => id === null)) return new Map()
  const { results } = await listMembers(ctx, { limit: 100 })
  return new Map(results.map(({ id, email }) => [id, email]))
}
