import type { Context } from '../../platform/auth/context.ts'
import { notFound } from '../../core/errors.ts'
import { campaignOf, organizationNameOf } from './show-campaign.ts'

export async function getCampaign(ctx: Context, id: string) {
  const row = await ctx.db.campaign.findFirst({ where: { id } })
  if (!row) throw notFound()
  return campaignOf(row, await organizationNameOf(ctx))
}
