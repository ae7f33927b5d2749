import type { Context } from '../../platform/auth/context.ts'
import { organizationNameOf } from '../../organizations/organization-name.ts'
import { notFound } from '../../core/errors.ts'
import { findCampaign } from './find-campaign.ts'
import { campaignOf } from './show-campaign.ts'

export async function getCampaign(ctx: Context, id: string) {
  const [row, organizationName] = await Promise.all([findCampaign(ctx, id), organizationNameOf(ctx)])
  if (!row) throw notFound()
  return campaignOf(row, organizationName)
}
