import type { Context } from '../platform/auth/context.ts'
import type { Statement } from '../db/statements.ts'

export const READ_NAME: Statement = {
  name: 'name_of_organization',
  text: 'SELECT name FROM organizations WHERE id = $1::uuid',
}

export async function organizationNameOf(ctx: Pick<Context, 'rows' | 'organizationId'>): Promise<string> {
  const [organization] = await ctx.rows<{ name: string }>(READ_NAME, ctx.organizationId)
  return organization!.name
}
