import type { z } from 'zod'
import type { Campaign } from '../../../generated/prisma/client.ts'
import type { campaign } from '../../platform/api/campaigns.ts'
import type { Context } from '../../platform/auth/context.ts'

/** The sender label of a campaign without its own. */
export const defaultSenderOf = (organizationName: string): string => `${organizationName} via Vitrine`

export const campaignOf = (row: Campaign, organizationName: string): z.output<typeof campaign> => ({
  id: row.id,
  name: row.name,
  email_from: row.emailFrom ?? defaultSenderOf(organizationName),
  reminder_days: row.reminderDays,
  created_at: row.createdAt,
})

export async function organizationNameOf(ctx: Context): Promise<string> {
  const { name } = await ctx.db.organization.findFirstOrThrow({
    where: { id: ctx.organizationId },
    select: { name: true },
  })
  return name
}
