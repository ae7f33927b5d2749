import { Prisma } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { DAY, secondsFrom } from '../../core/clock.ts'
import { intervalsOf, startOf } from './intervals.ts'

export type Activity = { start: Date; sent: number; claimed: number; minted: number }
type Counted = { day: string; what: 'sent' | 'claimed' | 'minted'; many: number }

/** Claims sent, claims redeemed and units minted on each of the last days (UTC). Days without any are included. */
export async function countActivity(ctx: Context, { days }: { days: number }): Promise<Activity[]> {
  const from = startOf(secondsFrom(ctx.now(), -(days - 1) * DAY), 'DAY')
  const organization = Prisma.sql`${ctx.organizationId}::uuid`
  const since = Prisma.sql`${from.toISOString()}::timestamptz`
  const day = (column: string) => Prisma.sql`(${Prisma.raw(column)} AT TIME ZONE 'UTC')::date::text`
  const rows = await ctx.sql<Counted>(Prisma.sql`
    SELECT ${day('created_at')} AS day, 'sent' AS what, count(*)::int AS many FROM email_claims
    WHERE organization_id = ${organization} AND id >= ${firstIdOf(from)}::uuid AND created_at >= ${since} GROUP BY 1
    UNION ALL
    SELECT ${day('redeemed_at')}, 'claimed', count(*)::int FROM email_claims WHERE organization_id = ${organization} AND redeemed_at >= ${since} GROUP BY 1
    UNION ALL
    SELECT ${day('timestamp')}, 'minted', least(sum(quantity), 2147483647)::int FROM item_history WHERE organization_id = ${organization} AND type = 'MINT' AND timestamp >= ${since} GROUP BY 1`)
  return intervalsOf(from, ctx.now(), 'DAY').map((start) => {
    const of = (what: Counted['what']) =>
      rows.find((row) => row.what === what && row.day === start.toISOString().slice(0, 10))?.many ?? 0
    return { start, sent: of('sent'), claimed: of('claimed'), minted: of('minted') }
  })
}

/** The lowest id (UUIDv7 begins with its time) that a row created since `from` can have, with a minute's tolerance for clocks. */
function firstIdOf(from: Date): string {
  const time = (from.getTime() - 60_000).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`
}
