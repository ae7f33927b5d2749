import { MAX_PERIOD_MS, type countCampaign as endpoint } from '../../platform/api/analytics.ts'
import type { Input, Output } from '../../platform/api/endpoint.ts'
import type { Context } from '../../platform/auth/context.ts'
import { notFound } from '../../core/errors.ts'
import { findCampaign } from '../../messaging/campaigns/find-campaign.ts'
import { countOptOuts } from '../../messaging/opt-outs/count-opt-outs.ts'
import { countClaims } from './count-claims.ts'

/** The funnel of a campaign's claims, by default since its creation. Throws `not_found`. */
export async function countCampaign(
  ctx: Context,
  id: string,
  query: Input<typeof endpoint>['query'],
): Promise<Output<typeof endpoint>> {
  const campaign = await findCampaign(ctx, id)
  if (!campaign) throw notFound()
  const to = query.to ?? ctx.now()
  const earliest = Math.max(campaign.createdAt.getTime(), to.getTime() - MAX_PERIOD_MS)
  const from = query.from ?? new Date(Math.min(earliest, to.getTime()))
  const [figures, unsubscribed] = await Promise.all([
    countClaims(ctx, { ...query, to, from, campaign_id: id }),
    countOptOuts(ctx, id),
  ])
  return { ...figures, unsubscribed }
}
