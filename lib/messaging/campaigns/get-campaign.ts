import type { Context } from '../../platform/auth/context.ts'
import { notFound } from '../../core/errors.ts'
import { findCampaign } from './find-campaign.ts'
import { campaignOf, senderFactsOf } from './show-campaign.ts'

export async function getCampaign(ctx: Context, id: string) {
  const [row, organization] = await Promise.all([findCampaign(ctx, id), senderFactsOf(ctx)])
  if (!row) throw notFound()
  return campaignOf(row, organization)
}
