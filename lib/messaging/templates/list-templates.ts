import { EDITABLE_TYPES, type listTemplates as endpoint } from '../../platform/api/email-templates.ts'
import type { Output } from '../../platform/api/endpoint.ts'
import type { Context } from '../../platform/auth/context.ts'
import { findBrand } from './find-brand.ts'
import { findTemplate } from './find-template.ts'
import { templateSummaryOf, assertOwnCampaign } from './show-template.ts'

/** The words in use for each mail, of a campaign or in general. */
export async function listTemplates(ctx: Context, given?: string | null): Promise<Output<typeof endpoint>> {
  const campaignId = await assertOwnCampaign(ctx, given)
  const brand = await findBrand(ctx, ctx.organizationId)
  const place = { organizationId: ctx.organizationId, campaignId }
  const results = await Promise.all(
    EDITABLE_TYPES.map(async (type) =>
      templateSummaryOf(type, campaignId, await findTemplate(ctx, type, place), brand),
    ),
  )
  return { cursor: null, has_more: false, results, total_results: results.length }
}
