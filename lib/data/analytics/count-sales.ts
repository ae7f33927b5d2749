import type { countSales as endpoint } from '../../platform/api/analytics.ts'
import type { Input, Output } from '../../platform/api/endpoint.ts'
import type { Context } from '../../platform/auth/context.ts'
import type { Statement } from '../../db/statements.ts'
import { DAY, secondsFrom } from '../../core/clock.ts'
import { ALL } from './claim-figures.ts'
import { intervalsOf, startOf } from './intervals.ts'

type Answer = Output<typeof endpoint>
type Sales = Answer['totals'][number]
type Counted = Omit<Sales, 'net'> & { start: string }

const WANTED = '($3::uuid IS NULL OR l.id = $3::uuid) AND ($4::uuid IS NULL OR l.collection_id = $4::uuid)'

/**
 * The sums, with what changed since they were made, and without what was paid after the end of the period. $1
 * organization, $2 the listing, else the collection, else a nil UUID, $3 listing or null, $4 collection or null, $5 and
 * $6 the period, from the beginning of a day, $7 mode or null, $8 the unit of the intervals.
 */
const SALES: Statement = {
  name: 'sales_by_interval',
  text: `
    WITH period AS (
        SELECT ($5::timestamptz AT TIME ZONE 'UTC')::date AS first, ($6::timestamptz AT TIME ZONE 'UTC')::date AS last),
    counted AS (
      SELECT day, mode, currency, nullif(currency_address, '') AS currency_address, currency_decimals, purchases, units,
        gross, refunds, refunded
      FROM sale_days
      WHERE organization_id = $1::uuid AND subject_id = $2::uuid AND day >= (SELECT first FROM period)
        AND day <= (SELECT last FROM period)
        AND ($3::uuid IS NULL OR $4::uuid IS NULL
          OR EXISTS (SELECT 1 FROM listings l WHERE l.id = $3::uuid AND l.collection_id = $4::uuid))
      UNION ALL
      SELECT s.day, s.mode, s.currency, l.currency_address, l.currency_decimals, s.purchases, s.units, s.gross,
        s.refunds, s.refunded
      FROM sale_changes s JOIN listings l ON l.id = s.listing_id
      WHERE s.organization_id = $1::uuid AND ${WANTED} AND s.day >= (SELECT first FROM period)
        AND s.day <= (SELECT last FROM period)
      UNION ALL
      SELECT s.day, s.mode, s.currency, l.currency_address, l.currency_decimals, -s.purchases, -s.units, -s.gross,
        -s.refunds, -s.refunded
      FROM sale_outcomes s JOIN listings l ON l.id = s.listing_id
      WHERE s.organization_id = $1::uuid AND ${WANTED} AND s.confirmed_at > $6::timestamptz
        AND s.confirmed_at < ((SELECT last FROM period) + 1)::timestamp AT TIME ZONE 'UTC'
    )
    SELECT date_trunc($8, day::timestamp)::date::text AS start, mode::text AS mode, currency, currency_address,
      currency_decimals, sum(purchases)::bigint AS purchases, sum(units)::bigint AS units, sum(gross)::text AS gross,
      sum(refunds)::bigint AS refunds, sum(refunded)::text AS refunded
    FROM counted WHERE $7::text IS NULL OR mode::text = $7::text
    GROUP BY 1, 2, 3, 4, 5 HAVING sum(purchases) + sum(refunds) > 0 ORDER BY 1, 2, 3, 4`,
}

/** Sales of a period by mode and currency, in total and by interval. */
export async function countSales(ctx: Context, query: Input<typeof endpoint>['query']): Promise<Answer> {
  const interval = query.interval ?? 'DAY'
  const to = query.to ?? ctx.now()
  const from = startOf(query.from ?? secondsFrom(to, -30 * DAY), interval)
  const { listing_id = null, collection_id = null, mode = null } = query
  const rows = await ctx.rows<Counted>(
    SALES,
    ctx.organizationId,
    listing_id ?? collection_id ?? ALL,
    listing_id,
    collection_id,
    from,
    to,
    mode,
    interval.toLowerCase(),
  )
  const sold = rows.map(({ start, ...row }) => ({
    start: new Date(`${start}T00:00:00Z`).getTime(),
    sales: { ...row, net: (BigInt(row.gross) - BigInt(row.refunded)).toString() },
  }))
  return {
    from,
    to,
    interval,
    totals: totalsOf(sold.map(({ sales }) => sales)),
    series: intervalsOf(from, to, interval).map((start) => ({
      start,
      sales: sold.filter((entry) => entry.start === start.getTime()).map(({ sales }) => sales),
    })),
  }
}

/** The sum of all sales by mode and currency. */
function totalsOf(all: readonly Sales[]): Sales[] {
  const totals = new Map<string, Sales>()
  const add = (a: string, b: string) => (BigInt(a) + BigInt(b)).toString()
  for (const sales of all) {
    const key = `${sales.mode} ${sales.currency} ${sales.currency_address} ${sales.currency_decimals}`
    const before = totals.get(key)
    totals.set(
      key,
      before
        ? {
            ...before,
            purchases: before.purchases + sales.purchases,
            units: before.units + sales.units,
            gross: add(before.gross, sales.gross),
            refunds: before.refunds + sales.refunds,
            refunded: add(before.refunded, sales.refunded),
            net: add(before.net, sales.net),
          }
        : sales,
    )
  }
  return [...totals.values()]
}
