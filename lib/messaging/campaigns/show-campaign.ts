import type { z } from 'zod'
import type { Campaign } from '../../../generated/prisma/client.ts'
import type { campaign } from '../../platform/api/campaigns.ts'

/** What of a campaign's row is shown. */
export type CampaignRow = Pick<Campaign, 'id' | 'name' | 'emailFrom' | 'reminderDays' | 'createdAt'>

/** The sender label of a campaign without its own. */
export const defaultSenderOf = (organizationName: string): string => `${organizationName} via Vitrine`

export const campaignOf = (row: CampaignRow, organizationName: string): z.output<typeof campaign> => ({
  id: row.id,
  name: row.name,
  email_from: row.emailFrom ?? defaultSenderOf(organizationName),
  reminder_days: row.reminderDays,
  created_at: row.createdAt,
})
