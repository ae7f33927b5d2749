import { useFormatter, useLocale, useTranslations } from 'next-intl'
import { Card } from '@/components/ui/card'
import { formatTagOf } from '@/lib/core/format-tag'
import { decimalOf, roundedAmountOf } from '@/lib/core/money'
import { Chip, Chips } from '../lists/chips'
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
  DAY: { days: 30 },
  WEEK: { days: 7 * 11 },
  MONTH: { days: 334 },
} as const

type Props = {
  path: string
  figures: SalesFigures
  /** From the query: `units`, or a mode and currency. */
  measure: string | null
}

/** Recent sales: units of all listings, or the net amount in one mode and currency. */
export function SalesCard({ path, figures, measure }: Props) {
  const t = useTranslations('dashboard.overview.sales')
  const locale = useLocale()
  const format = useFormatter()
  const { interval, totals, series } = figures
  const monies = totals.filter(({ net, refunded }) => net !== '0' || refunded !== '0')
  const chosen =
    monies.find((money) => keyOf(money) === measure) ??
    (measure === 'units' ? null : (monies.find(({ mode }) => mode === 'LIVE') ?? monies[0] ?? null))
  const points = series.map(({ start, sales }): Point => {
    const label = new Intl.DateTimeFormat(
      formatTagOf(locale),
      interval === 'MONTH'
        ? { month: 'short', year: 'numeric', timeZone: 'UTC' }
        : { day: 'numeric', month: 'short', timeZone: 'UTC' },
    ).format(start)
    if (!chosen) {
      const units = sales.reduce((sum, each) => sum + each.units, 0n)
      return { start: start.toISOString(), label, value: Number(units), text: format.number(units) }
    }
    const net = sales.find((each) => keyOf(each) === keyOf(chosen))?.net ?? '0'
    return {
      start: start.toISOString(),
      label,
      value: Number(decimalOf(BigInt(net), chosen.currency_decimals)),
      text: roundedAmountOf(net, chosen.currency, chosen.currency_decimals, locale),
    }
  })
  const name = chosen ? t('net', { currency: chosen.currency }) : t('unitsSold')
  /** A summary of all that was sold; undefined where nothing was. */
  function summaryOf(): string | undefined {
    if (totals.length === 0) return undefined
    if (!chosen) return t('ofUnits', { count: Number(totals.reduce((sum, each) => sum + each.units, 0n)) })
    const { net, currency, currency_decimals: decimals, mode, purchases } = chosen
    const amount = roundedAmountOf(net, currency, decimals, locale)
    return t(mode === 'TEST' ? 'testSummary' : 'summary', { amount, count: Number(purchases) })
  }
  const to = (more: Record<string, string>) => hrefOf(path, { sales: measure, over: interval, ...more })
  return (
    <Card
      title={t('title')}
      description={summaryOf()}
      actions={
        <Chips label={t('over')}>
          {(Object.keys(PERIODS) as (keyof typeof PERIODS)[]).map((each) => (
            <Chip key={each} href={to({ over: each })} current={each === interval}>
              {t(`periods.${each}`)}
            </Chip>
          ))}
        </Chips>
      }
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        {monies.length > 0 && (
          <Chips label={t('in')}>
            {monies.map((money) => (
              <Chip key={keyOf(money)} href={to({ sales: keyOf(money) })} current={chosen === money}>
                {money.mode === 'TEST' ? t('test', { currency: money.currency }) : money.currency}
              </Chip>
            ))}
            <Chip href={to({ sales: 'units' })} current={!chosen}>
              {t('units')}
            </Chip>
          </Chips>
        )}
        {totals.length === 0 ? (
          <p className="text-sm text-muted">{t('none')}</p>
        ) : (
          <SalesChart name={name} points={points} />
        )}
      </div>
    </Card>
  )
}

const keyOf = ({ mode, currency }: Sales): string => `${mode}-${currency}`
