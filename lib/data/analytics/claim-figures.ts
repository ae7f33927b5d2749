import type { z } from 'zod'
import type { funnel } from '../../platform/api/analytics.ts'
import type { Context } from '../../platform/auth/context.ts'
import type { Statement } from '../../db/statements.ts'

export type Funnel = z.output<typeof funnel>

/** The outcomes by which a claim counts: columns of claim_outcomes and claim_figures. */
export const OUTCOMES = [
  'sent',
  'delivered',
  'bounced',
  'opened',
  'pin_asked',
  'claimed',
  'expired',
  'revoked',
  'reminded',
] as const
const FIGURES = ['created', ...OUTCOMES] as const

/** Stands for all campaigns and all collections in claim_days, and for all listings in sale_days. */
export const ALL = '00000000-0000-0000-0000-000000000000'

const each = (column: (name: string) => string): string => OUTCOMES.map(column).join(', ')
const CHANGED = 'ANY((SELECT ids FROM changed)::uuid[])'
const WANTED = `organization_id = $1::uuid AND ($2::uuid[] IS NULL OR campaign_id = ANY($2::uuid[]))
    AND ($3::uuid IS NULL OR collection_id = $3::uuid)`

/**
 * The sums, with what changed since they were made, without claims that were created after the end of the period, and
 * with those that have expired before the worker marked them. $1 organization, $2 campaigns or null, $3 collection or
 * null, $4 and $5 the period, from the beginning of a day, $6 the time, $7 and $8 the campaigns and the collection of
 * the sums: under row-level security, an index serves no coalesce().
 */
const COUNTED = `
  WITH changed AS (SELECT coalesce(array_agg(DISTINCT claim_id), '{}') AS ids FROM claim_changes
      WHERE organization_id = $1::uuid),
  period AS (
    SELECT ($4::timestamptz AT TIME ZONE 'UTC')::date AS first, ($5::timestamptz AT TIME ZONE 'UTC')::date AS last),
  counted AS (
    SELECT campaign_id, day, created, ${each((name) => name)} FROM claim_days
    WHERE organization_id = $1::uuid AND campaign_id = ANY($7::uuid[]) AND collection_id = $8::uuid
      AND day >= (SELECT first FROM period) AND day <= (SELECT last FROM period)
    UNION ALL
    SELECT campaign_id, day, 1, ${each((name) => `${name}::int`)} FROM claim_outcomes
    WHERE ${WANTED} AND claim_id = ${CHANGED}
    UNION ALL
    SELECT campaign_id, day, -1, ${each((name) => `-${name}::int`)} FROM claim_figures
    WHERE ${WANTED} AND claim_id = ${CHANGED}
    UNION ALL
    SELECT campaign_id, day, -1, ${each((name) => `-${name}::int`)} FROM claim_outcomes WHERE ${WANTED}
      AND created_at > $5::timestamptz AND created_at < ((SELECT last FROM period) + 1)::timestamp AT TIME ZONE 'UTC'
    UNION ALL
    SELECT campaign_id, (created_at AT TIME ZONE 'UTC')::date,
      0, ${each((name) => (name === 'expired' ? '1' : '0'))} FROM email_claims
    WHERE ${WANTED} AND state IN ('OPEN', 'LOCKED') AND expires_at <= $6::timestamptz AND created_at <= $5::timestamptz
  )`
const SUMS = FIGURES.map((name) => `sum(${name})::bigint AS ${name}`).join(', ')
const IN_PERIOD = 'WHERE day >= (SELECT first FROM period) AND day <= (SELECT last FROM period)'

const BY_INTERVAL: Statement = {
  name: 'claim_figures_by_interval',
  text: `${COUNTED} SELECT date_trunc($9, day::timestamp)::date::text AS start, ${SUMS}
    FROM counted ${IN_PERIOD} GROUP BY 1`,
}
const BY_CAMPAIGN: Statement = {
  name: 'claim_figures_by_campaign',
  text: `${COUNTED} SELECT campaign_id::text AS campaign, ${SUMS} FROM counted GROUP BY 1`,
}

type Wanted = { campaignId: string | null; collectionId: string | null; from: Date; to: Date; unit: string }

/**
 * The figures of the claims created in a period, by the first day of their interval. Intervals without a claim may be
 * missing.
 */
export async function figuresByInterval(ctx: Context, wanted: Wanted): Promise<Map<string, Funnel>> {
  const { campaignId, collectionId, from, to, unit } = wanted
  const rows = await ctx.rows<Funnel & { start: string }>(
    BY_INTERVAL,
    ctx.organizationId,
    campaignId === null ? null : [campaignId],
    collectionId,
    from,
    to,
    ctx.now(),
    [campaignId ?? ALL],
    collectionId ?? ALL,
    unit,
  )
  return new Map(rows.map(({ start, ...figures }) => [start, figures]))
}

/** The figures of each campaign, over all time. A campaign without claims may be missing. */
export async function figuresByCampaign(ctx: Context, campaignIds: string[]): Promise<Map<string, Funnel>> {
  const rows = await ctx.rows<Funnel & { campaign: string }>(
    BY_CAMPAIGN,
    ctx.organizationId,
    campaignIds,
    null,
    '-infinity',
    'infinity',
    ctx.now(),
    campaignIds,
    ALL,
  )
  return new Map(rows.map(({ campaign, ...figures }) => [campaign, figures]))
}

export const EMPTY_FUNNEL = Object.fromEntries(FIGURES.map((name) => [name, 0n])) as Funnel

export const sumOf = (one: Funnel, other: Funnel): Funnel =>
  Object.fromEntries(FIGURES.map((name) => [name, one[name] + other[name]])) as Funnel
