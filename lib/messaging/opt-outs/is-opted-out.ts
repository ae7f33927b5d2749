import type { Context } from '../../platform/auth/context.ts'

/** Whether this mailbox gets no gifts and reminders of the organization. */
export const isOptedOut = async (ctx: Context, email: string): Promise<boolean> =>
  (await ctx.db.mailOptOut.count({ where: { email: email.toLowerCase() } })) > 0
