import { Card } from '@/components/ui/card'
import { decimalOf, roundedAmountOf } from '@/lib/core/money'
import { Chip, Chips } from '../lists/chips'
import { counted } from '../lists/counted'
import { hrefOf } from '../lists/href'
import { SalesChart } from './sales-chart'
import type { Point } from './sales-bars'

type Sales = {
  mode: 'TEST' | 'LIVE'
  currency: string
  currency_decimals: number
  purchases: bigint
  units: bigint
  net: string
  refunds: bigint
  refunded: string
}
type SalesFigures = {
  interval: 'DAY' | 'WEEK' | 'MONTH'
  totals: Sales[]
  series: { start: Date; sales: Sales[] }[]
}

export const PERIODS = {
  DAY: { label: '30 days', days: 30 },
  WEEK: { label: '12 weeks', days: 7 * 11 },
  MONTH: { label: '12 months', days: 334 },
} as const

type Props = {
  path: string
  figures: SalesFigures
  /** From the query: `units`, or a mode and currency. */
  measure: string | null
}

/** Recent sales: units of all listings, or the net amount in one mode and currency. */
export function SalesCard({ path, figures, measure }: Props) {
  const { interval, totals, series } = figures
  const monies = totals.filter(({ net, refunded }) => net !== '0' || refunded !== '0')
  const chosen =
    monies.find((money) => keyOf(money) === measure) ??
    (measure === 'units' ? null : (monies.find(({ mode }) => mode === 'LIVE') ?? monies[0] ?? null))
  const points = series.map(({ start, sales }): Point => {
    const label = new Intl.DateTimeFormat(
      'en-GB',
      interval === 'MONTH'
        ? { month: 'short', year: 'numeric', timeZone: 'UTC' }
        : { day: 'numeric', month: 'short', timeZone: 'UTC' },
    ).format(start)
    if (!chosen) {
      const units = sales.reduce((sum, each) => sum + each.units, 0n)
      return { start: start.toISOString(), label, value: Number(units), text: units.toLocaleString('en') }
    }
    const net = sales.find((each) => keyOf(each) === keyOf(chosen))?.net ?? '0'
    return {
      start: start.toISOString(),
      label,
      value: Number(decimalOf(BigInt(net), chosen.currency_decimals)),
      text: roundedAmountOf(net, chosen.currency, chosen.currency_decimals),
    }
  })
  const name = chosen ? `${chosen.currency}, after refunds` : 'Units sold'
  const to = (more: Record<string, string>) => hrefOf(path, { sales: measure, over: interval, ...more })
  return (
    <Card
      title="Sales"
      description={summaryOf(chosen, totals)}
      actions={
        <Chips label="Sales over">
          {(Object.keys(PERIODS) as (keyof typeof PERIODS)[]).map((each) => (
            <Chip key={each} href={to({ over: each })} current={each === interval}>
              {PERIODS[each].label}
            </Chip>
          ))}
        </Chips>
      }
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        {monies.length > 0 && (
          <Chips label="Sales in">
            {monies.map((money) => (
              <Chip key={keyOf(money)} href={to({ sales: keyOf(money) })} current={chosen === money}>
                {money.currency}
                {money.mode === 'TEST' && ' (test)'}
              </Chip>
            ))}
            <Chip href={to({ sales: 'units' })} current={!chosen}>
              Units
            </Chip>
          </Chips>
        )}
        {totals.length === 0 ? (
          <p className="text-sm text-muted">Nothing was sold in this time.</p>
        ) : (
          <SalesChart name={name} points={points} />
        )}
      </div>
    </Card>
  )
}

function summaryOf(chosen: Sales | null, totals: Sales[]): string | undefined {
  if (totals.length === 0) return undefined
  if (!chosen)
    return counted(
      totals.reduce((sum, each) => sum + each.units, 0n),
      ['unit', 'units'],
    )
  const { net, currency, currency_decimals: decimals, mode, purchases } = chosen
  return `${roundedAmountOf(net, currency, decimals)}${mode === 'TEST' ? ' on test networks' : ''}, in ${counted(purchases, ['purchase', 'purchases'])}`
}

const keyOf = ({ mode, currency }: Sales): string => `${mode}-${currency}`
