import type { Context } from '../platform/auth/context.ts'
import { linkOf } from './current-claim.ts'

/** Records when a person first opened the link. */
export async function openClaim(ctx: Context): Promise<undefined> {
  const { id, generation } = linkOf(ctx)
  await ctx.db.emailClaim.updateMany({ where: { id, generation, openedAt: null }, data: { openedAt: ctx.now() } })
  return undefined
}
