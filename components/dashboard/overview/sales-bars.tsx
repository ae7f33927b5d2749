import { useLocale } from 'next-intl'
import { classes } from '@/components/ui/classes'
import { ticksOf } from './ticks'

/** One interval: `value` sets the height of the bar and may be rounded, `text` is exact. */
export type Point = { start: string; label: string; value: number; text: string }

/** As many labels as fit under the bars on a phone. */
const MOST_LABELS = 5

/**
 * The bars only, drawn by the server. They are hidden from assistive technology, since a table shows the same figures.
 */
export function SalesBars({ points }: { points: Point[] }) {
  const ticks = ticksOf(
    points.map(({ value }) => value),
    useLocale(),
  )
  const [least, most] = [ticks[0]!.at, ticks.at(-1)!.at]
  const percent = (value: number) => `${(value / (most - least)) * 100}%`
  const longest = Math.max(...ticks.map(({ label }) => label.length))
  const between = Math.ceil(points.length / MOST_LABELS)
  return (
    <div aria-hidden="true" className="grid h-56 grid-cols-[auto_minmax(0,1fr)] gap-x-3 pt-2 text-xs text-muted">
      <div className="relative mb-6 tabular-nums" style={{ width: `${longest}ch` }}>
        {ticks.map(({ at, label }) => (
          <span key={at} className="absolute right-0 translate-y-1/2" style={{ bottom: percent(at - least) }}>
            {label}
          </span>
        ))}
      </div>
      <div className="relative mb-6">
        {ticks.map(({ at }) => (
          <div
            key={at}
            className={classes('absolute inset-x-0 border-t', at === 0 && 'border-edge')}
            style={{ bottom: percent(at - least) }}
          />
        ))}
        <div className="absolute inset-0 flex">
          {points.map((point, nth) => (
            <div key={point.start} className="group relative flex-1 hover:bg-well">
              <div
                className={classes(
                  'absolute inset-x-[10%] mx-auto max-w-9 bg-glass',
                  point.value < 0 ? 'rounded-b-sm' : 'rounded-t-sm',
                )}
                style={{
                  bottom: percent(Math.min(point.value, 0) - least),
                  height: percent(Math.abs(point.value)),
                }}
              />
              <div
                className={classes(
                  'absolute top-0 z-10 hidden rounded-md border bg-pane px-3 py-2 text-sm whitespace-nowrap ' +
                    'shadow-lift group-hover:block',
                  nth < points.length / 2 ? 'left-0' : 'right-0',
                )}
              >
                <p>{point.label}</p>
                <p className="font-medium text-ink tabular-nums">{point.text}</p>
              </div>
              {nth % between === 0 && (
                <span className="absolute top-full left-1/2 -translate-x-1/2 pt-2 whitespace-nowrap">
                  {point.label}
                </span>
              )}
            </div>
          ))}
        </div>
      </div>
    </div>
  )
}
