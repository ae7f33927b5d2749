import { Card } from '@/components/ui/card'
import { hrefOf } from '../lists/href'
import { Chip, Chips } from '../lists/chips'
import { SalesChart } from './sales-chart'

type Day = { start: Date; sent: number; claimed: number; minted: number }

const MEASURES = {
  claimed: { label: 'Claimed', name: 'Claims redeemed' },
  sent: { label: 'Sent', name: 'Email claims sent' },
  minted: { label: 'Minted', name: 'Units minted' },
} as const
export type Measure = keyof typeof MEASURES
export const isMeasure = (text: unknown): text is Measure => typeof text === 'string' && text in MEASURES

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
  const total = days.reduce((sum, day) => sum + day[measure], 0)
  const points = days.map((day) => ({
    start: day.start.toISOString(),
    label: new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(day.start),
    value: day[measure],
    text: day[measure].toLocaleString('en'),
  }))
  return (
    <Card
      title="Claims and mints"
      description={`${total.toLocaleString('en')} ${MEASURES[measure].label.toLowerCase()} in ${days.length} days`}
      actions={
        <Chips label="Claims or mints">
          {(Object.keys(MEASURES) as Measure[]).map((each) => (
            <Chip key={each} href={hrefOf('/dashboard', { ...keep, activity: each })} current={each === measure}>
              {MEASURES[each].label}
            </Chip>
          ))}
        </Chips>
      }
    >
      {total === 0 ? (
        <p className="text-sm text-muted">None in this time.</p>
      ) : (
        <SalesChart name={MEASURES[measure].name} points={points} />
      )}
    </Card>
  )
}
