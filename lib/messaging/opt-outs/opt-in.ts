import type { Context } from '../../platform/auth/context.ts'

/** Undoes `optOut`. */
export async function optIn(ctx: Context, email: string): Promise<void> {
  await ctx.db.mailOptOut.deleteMany({ where: { email: email.toLowerCase() } })
}
