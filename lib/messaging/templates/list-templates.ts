import { EDITABLE_TYPES, type listTemplates as endpoint } from '../../platform/api/email-templates.ts'
import type { Output } from '../../platform/api/endpoint.ts'
import type { Context } from '../../platform/auth/context.ts'
import { findBrand } from './find-brand.ts'
import { findTemplates } from './find-template.ts'
import { templateSummaryOf, assertOwnCampaign } from './show-template.ts'

/** The template in use for each editable mail type, for a campaign or (without one) for the organization. */
export async function listTemplates(ctx: Context, givenCampaignId?: string | null): Promise<Output<typeof endpoint>> {
  const campaignId = await assertOwnCampaign(ctx, givenCampaignId)
  const place = { organizationId: ctx.organizationId, campaignId }
  const [brand, inUse] = await Promise.all([
    findBrand(ctx, ctx.organizationId),
    findTemplates(ctx, EDITABLE_TYPES, place),
  ])
  const results = EDITABLE_TYPES.map((type) => templateSummaryOf(type, campaignId, inUse.get(type) ?? null, brand))
  return { cursor: null, has_more: false, results, total_results: results.length }
}
