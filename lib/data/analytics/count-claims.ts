import type { countClaims as endpoint } from '../../platform/api/analytics.ts'
import type { Input, Output } from '../../platform/api/endpoint.ts'
import type { Context } from '../../platform/auth/context.ts'
import { DAY, secondsFrom } from '../../core/clock.ts'
import { unknownId } from '../../core/errors.ts'
import { findCampaign } from '../../messaging/campaigns/find-campaign.ts'
import { EMPTY_FUNNEL, figuresByCampaign, figuresByInterval, type Funnel, sumOf } from './claim-figures.ts'
import { intervalsOf, startOf } from './intervals.ts'

type Answer = Output<typeof endpoint>

/** The funnel of the claims created in a period, in total and by interval. Throws `not_found` (the campaign). */
export async function countClaims(ctx: Context, query: Input<typeof endpoint>['query']): Promise<Answer> {
  if (query.campaign_id && !(await findCampaign(ctx, query.campaign_id))) throw unknownId('campaign_id', 'campaign')
  const interval = query.interval ?? 'DAY'
  const to = query.to ?? ctx.now()
  const from = startOf(query.from ?? secondsFrom(to, -30 * DAY), interval)
  const counted = await figuresByInterval(ctx, {
    campaignId: query.campaign_id ?? null,
    collectionId: query.collection_id ?? null,
    from,
    to,
    unit: interval.toLowerCase(),
  })
  return {
    from,
    to,
    interval,
    totals: [...counted.values()].reduce(sumOf, EMPTY_FUNNEL),
    series: intervalsOf(from, to, interval).map((start) => ({
      start,
      claims: counted.get(start.toISOString().slice(0, 10)) ?? EMPTY_FUNNEL,
    })),
  }
}

/** The funnel of each campaign, over all time. A campaign without claims has an empty one. */
export async function funnelsOf(ctx: Context, campaignIds: string[]): Promise<Map<string, Funnel>> {
  if (campaignIds.length === 0) return new Map()
  const counted = await figuresByCampaign(ctx, campaignIds)
  return new Map(campaignIds.map((id) => [id, counted.get(id) ?? EMPTY_FUNNEL]))
}
