import type { Context } from '../../platform/auth/context.ts'
import { newId } from '../../core/id.ts'

/** Sends this mailbox no more gifts and reminders of the organization. Safe to repeat: the first time counts. */
export async function optOut(
  ctx: Context,
  { email, campaignId }: { email: string; campaignId: string | null },
): Promise<void> {
  await ctx.db.mailOptOut.createMany({
    data: [
      {
        id: newId(),
        organizationId: ctx.organizationId,
        email: email.toLowerCase(),
        campaignId,
        createdAt: ctx.now(),
      },
    ],
    skipDuplicates: true,
  })
}
