import { useFormatter, useLocale, useTranslations } from 'next-intl'
import { Card } from '@/components/ui/card'
import { formatTagOf } from '@/lib/core/format-tag'
import { hrefOf } from '../lists/href'
import { Chip, Chips } from '../lists/chips'
import { SalesChart } from './sales-chart'

type Day = { start: Date; sent: number; claimed: number; minted: number }

const MEASURES = ['claimed', 'sent', 'minted'] as const
export type Measure = (typeof MEASURES)[number]
export const isMeasure = (text: unknown): text is Measure => (MEASURES as readonly unknown[]).includes(text)

/** Claims and mints, day by day. */
export function OverviewActivity({
  days,
  measure,
  keep,
}: {
  days: Day[]
  measure: Measure
  /** Query parameters of other parts of the page. */
  keep: Record<string, string | null>
}) {
  const t = useTranslations('dashboard.overview.activity')
  const locale = useLocale()
  const format = useFormatter()
  const total = days.reduce((sum, day) => sum + day[measure], 0)
  const points = days.map((day) => ({
    start: day.start.toISOString(),
    label: new Intl.DateTimeFormat(formatTagOf(locale), { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(
      day.start,
    ),
    value: day[measure],
    text: format.number(day[measure]),
  }))
  return (
    <Card
      title={t('title')}
      description={t(`${measure}.summary`, { count: format.number(total), days: format.number(days.length) })}
      actions={
        <Chips label={t('choose')}>
          {MEASURES.map((each) => (
            <Chip key={each} href={hrefOf('/dashboard', { ...keep, activity: each })} current={each === measure}>
              {t(`${each}.label`)}
            </Chip>
          ))}
        </Chips>
      }
    >
      {total === 0 ? (
        <p className="text-sm text-muted">{t('none')}</p>
      ) : (
        <SalesChart name={t(`${measure}.name`)} points={points} />
      )}
    </Card>
  )
}
