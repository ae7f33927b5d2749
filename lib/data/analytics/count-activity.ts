import type { Context } from '../../platform/auth/context.ts'
import type { Statement } from '../../db/statements.ts'
import { DAY, secondsFrom } from '../../core/clock.ts'
import { figuresByInterval } from './claim-figures.ts'
import { intervalsOf, startOf } from './intervals.ts'

export type Activity = { start: Date; sent: number; claimed: number; minted: number }
type Counted = { day: string; what: 'claimed' | 'minted'; many: number }

const ACTIVITY: Statement = {
  name: 'activity_by_day',
  text: `
    SELECT (redeemed_at AT TIME ZONE 'UTC')::date::text AS day, 'claimed' AS what, count(*)::int AS many
    FROM email_claims WHERE organization_id = $1::uuid AND redeemed_at >= $2::timestamptz GROUP BY 1
    UNION ALL
    SELECT (timestamp AT TIME ZONE 'UTC')::date::text, 'minted', least(sum(quantity), 2147483647)::int
    FROM item_history WHERE organization_id = $1::uuid AND type = 'MINT' AND timestamp >= $2::timestamptz GROUP BY 1`,
}

/** Claims sent, claims redeemed and units minted on each of the last days (UTC). Days without any are included. */
export async function countActivity(ctx: Context, { days }: { days: number }): Promise<Activity[]> {
  const to = ctx.now()
  const from = startOf(secondsFrom(to, -(days - 1) * DAY), 'DAY')
  const [sent, rows] = await Promise.all([
    figuresByInterval(ctx, { campaignId: null, collectionId: null, from, to, unit: 'day' }),
    ctx.rows<Counted>(ACTIVITY, ctx.organizationId, from),
  ])
  return intervalsOf(from, to, 'DAY').map((start) => {
    const day = start.toISOString().slice(0, 10)
    const of = (what: Counted['what']) => rows.find((row) => row.what === what && row.day === day)?.many ?? 0
    return { start, sent: Number(sent.get(day)?.created ?? 0n), claimed: of('claimed'), minted: of('minted') }
  })
}
