import { Prisma } from '../../../generated/prisma/client.ts'
import type { countClaims as endpoint, funnel } from '../../platform/api/analytics.ts'
import type { Input, Output } from '../../platform/api/endpoint.ts'
import type { z } from 'zod'
import type { Context } from '../../platform/auth/context.ts'
import { DAY, secondsFrom } from '../../core/clock.ts'
import { notFound } from '../../core/errors.ts'
import { intervalsOf, startOf } from './count-sales.ts'

type Answer = Output<typeof endpoint>
export type Funnel = z.output<typeof funnel>
type Row = Record<keyof Funnel, string>

/** The funnel of the claims created in a period, in total and by interval. Throws `not_found` (the campaign). */
export async function countClaims(ctx: Context, query: Input<typeof endpoint>['query']): Promise<Answer> {
  if (
    query.campaign_id &&
    !(await ctx.db.campaign.findFirst({ where: { id: query.campaign_id }, select: { id: true } }))
  )
    throw notFound()
  const interval = query.interval ?? 'DAY'
  const to = query.to ?? ctx.now()
  const from = startOf(query.from ?? secondsFrom(to, -30 * DAY), interval)
  const unit = interval.toLowerCase()
  const rows = await ctx.sql<Row & { start: string }>(Prisma.sql`
    SELECT date_trunc(${unit}, c.created_at AT TIME ZONE 'UTC')::date::text AS start, ${figures(ctx)}
    FROM email_claims c ${withMails}
    WHERE c.organization_id = ${ctx.organizationId}::uuid
      AND c.created_at >= ${from.toISOString()}::timestamptz AND c.created_at <= ${to.toISOString()}::timestamptz
      AND (${query.campaign_id ?? null}::uuid IS NULL OR c.campaign_id = ${query.campaign_id ?? null}::uuid)
      AND (${query.collection_id ?? null}::uuid IS NULL OR c.collection_id = ${query.collection_id ?? null}::uuid)
    GROUP BY 1`)
  const counted = new Map(rows.map(({ start, ...row }) => [start, funnelOf(row)]))
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
  const rows = await ctx.sql<Row & { campaign: string }>(Prisma.sql`
    SELECT c.campaign_id::text AS campaign, ${figures(ctx)}
    FROM email_claims c ${withMails}
    WHERE c.organization_id = ${ctx.organizationId}::uuid AND c.campaign_id = ANY(${campaignIds}::uuid[])
    GROUP BY 1`)
  const counted = new Map(rows.map(({ campaign, ...row }) => [campaign, funnelOf(row)]))
  return new Map(campaignIds.map((id) => [id, counted.get(id) ?? EMPTY_FUNNEL]))
}

/** The delivery of a claim's mails. Only those with the link count, not PINs and notices of delivery. */
const withMails = Prisma.sql`CROSS JOIN LATERAL (
  SELECT bool_or(m.state = 'SENT') AS sent, max(m.delivered_at) AS delivered_at, max(m.bounced_at) AS bounced_at
  FROM outbox_messages m WHERE m.organization_id = c.organization_id AND m.claim_id = c.id AND m.template_type IN ('REDEEM_NFT', 'CLAIM_REMINDER')
) mails`

const CLAIMED = Prisma.sql`c.state IN ('REDEEMED', 'CLAIMED')`
const PIN_REQUESTED = Prisma.sql`(c.last_pin_sent_at IS NOT NULL OR ${CLAIMED})`

/** The columns of a funnel. A claim past its expiry counts as expired, even before the worker has marked it. */
const figures = (ctx: Context) => Prisma.sql`
  count(*)::text AS created,
  count(*) FILTER (WHERE mails.sent)::text AS sent,
  count(*) FILTER (WHERE mails.delivered_at IS NOT NULL)::text AS delivered,
  count(*) FILTER (WHERE mails.bounced_at IS NOT NULL AND (mails.delivered_at IS NULL OR mails.delivered_at < mails.bounced_at))::text AS bounced,
  count(*) FILTER (WHERE c.opened_at IS NOT NULL OR ${PIN_REQUESTED})::text AS opened,
  count(*) FILTER (WHERE ${PIN_REQUESTED})::text AS pin_asked,
  count(*) FILTER (WHERE ${CLAIMED})::text AS claimed,
  count(*) FILTER (WHERE c.state = 'EXPIRED' OR (c.state IN ('OPEN', 'LOCKED') AND c.expires_at <= ${ctx.now().toISOString()}::timestamptz))::text AS expired,
  count(*) FILTER (WHERE c.state = 'REVOKED')::text AS revoked,
  count(*) FILTER (WHERE c.reminded_at IS NOT NULL)::text AS reminded`

const EMPTY_FUNNEL: Funnel = {
  created: 0n,
  sent: 0n,
  delivered: 0n,
  bounced: 0n,
  opened: 0n,
  pin_asked: 0n,
  claimed: 0n,
  expired: 0n,
  revoked: 0n,
  reminded: 0n,
}
const NAMES = Object.keys(EMPTY_FUNNEL) as (keyof Funnel)[]
const each = (figure: (name: keyof Funnel) => bigint) =>
  Object.fromEntries(NAMES.map((name) => [name, figure(name)])) as Funnel
const funnelOf = (row: Row): Funnel => each((name) => BigInt(row[name]))
const sumOf = (one: Funnel, other: Funnel): Funnel => each((name) => one[name] + other[name])
