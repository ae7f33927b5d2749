import { Prisma } from '../../../generated/prisma/client.ts'
import type { countSales as endpoint } from '../../platform/api/analytics.ts'
import type { Input, Output } from '../../platform/api/endpoint.ts'
import type { Context } from '../../platform/auth/context.ts'
import { DAY, secondsFrom } from '../../core/clock.ts'

type Answer = Output<typeof endpoint>
type Sales = Answer['totals'][number]
type Interval = Answer['interval']
type Counted = {
  start: string
  mode: 'TEST' | 'LIVE'
  currency: string
  currency_address: string | null
  currency_decimals: number
  purchases: string
  units: string
  gross: string
  refunds: string
  refunded: string
}

/** Sales of a period by mode and currency, in total and by interval. */
export async function countSales(ctx: Context, query: Input<typeof endpoint>['query']): Promise<Answer> {
  const interval = query.interval ?? 'DAY'
  const to = query.to ?? ctx.now()
  const from = startOf(query.from ?? secondsFrom(to, -30 * DAY), interval)
  const rows = await ctx.sql<Counted>(Prisma.sql`
    SELECT date_trunc(${interval.toLowerCase()}, p.confirmed_at AT TIME ZONE 'UTC')::date::text AS start,
      p.mode::text AS mode, p.currency, l.currency_address, l.currency_decimals,
      count(*) FILTER (WHERE p.status <> 'REFUNDED')::text AS purchases,
      coalesce(sum(p.quantity - p.refunded_quantity) FILTER (WHERE p.status <> 'REFUNDED'), 0)::text AS units,
      sum(p.total)::text AS gross,
      count(*) FILTER (WHERE p.status = 'REFUNDED')::text AS refunds,
      sum(CASE WHEN p.status = 'REFUNDED' THEN p.total ELSE div(p.total * p.refunded_quantity, p.quantity) END)::text AS refunded
    FROM purchase_intents p JOIN listings l ON l.id = p.listing_id
    WHERE p.organization_id = ${ctx.organizationId}::uuid AND p.status IN ('CONFIRMED', 'UNRESOLVED', 'REFUNDED')
      AND p.confirmed_at >= ${from.toISOString()}::timestamptz AND p.confirmed_at <= ${to.toISOString()}::timestamptz
      AND (${query.listing_id ?? null}::uuid IS NULL OR p.listing_id = ${query.listing_id ?? null}::uuid)
      AND (${query.collection_id ?? null}::uuid IS NULL OR l.collection_id = ${query.collection_id ?? null}::uuid)
      AND (${query.mode ?? null}::text IS NULL OR p.mode::text = ${query.mode ?? null}::text)
    GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4`)
  const sold = rows.map(({ start, ...row }) => ({
    start: new Date(`${start}T00:00:00Z`).getTime(),
    sales: salesOf(row),
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

const salesOf = ({ purchases, units, refunds, ...row }: Omit<Counted, 'start'>): Sales => ({
  ...row,
  purchases: BigInt(purchases),
  units: BigInt(units),
  refunds: BigInt(refunds),
  net: (BigInt(row.gross) - BigInt(row.refunded)).toString(),
})

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

/** The start (UTC) of the interval that contains a moment. */
export function startOf(moment: Date, interval: Interval): Date {
  const [year, month, day] = [moment.getUTCFullYear(), moment.getUTCMonth(), moment.getUTCDate()]
  if (interval === 'MONTH') return new Date(Date.UTC(year, month, 1))
  const sinceMonday = interval === 'WEEK' ? (moment.getUTCDay() + 6) % 7 : 0
  return new Date(Date.UTC(year, month, day - sinceMonday))
}

/** The starts of all intervals that overlap a period, oldest first. */
export function intervalsOf(from: Date, to: Date, interval: Interval): Date[] {
  const starts: Date[] = []
  for (let start = startOf(from, interval); start <= to; start = after(start, interval)) starts.push(start)
  return starts
}

function after(start: Date, interval: Interval): Date {
  if (interval === 'MONTH') return new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1))
  return secondsFrom(start, (interval === 'WEEK' ? 7 : 1) * DAY)
}
