import { EDITABLE_TYPES, type listTemplates as endpoint } from '../../platform/api/email-templates.ts'
import type { Output } from '../../platform/api/endpoint.ts'
import type { Context } from '../../platform/auth/context.ts'
import { findSurroundings } from './find-brand.ts'
import { findTemplates } from './find-template.ts'
import { type GivenPlace, placeOf, templateSummaryOf } from './show-template.ts'

/** The template in use for each editable mail type, for a campaign or (without one) for the organization. */
export async function listTemplates(ctx: Context, given: GivenPlace = {}): Promise<Output<typeof endpoint>> {
  const place = await placeOf(ctx, given)
  const [surroundings, inUse] = await Promise.all([
    findSurroundings(ctx, place.locale),
    findTemplates(ctx, EDITABLE_TYPES, { organizationId: ctx.organizationId, ...place }),
  ])
  const results = EDITABLE_TYPES.map((type) => templateSummaryOf(type, place, inUse.get(type) ?? null, surroundings))
  return { cursor: null, has_more: false, results, total_results: results.length }
}
