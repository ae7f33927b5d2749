import type { INTERVALS } from '../../platform/api/analytics.ts'
import { DAY, secondsFrom } from '../../core/clock.ts'

export type Interval = (typeof INTERVALS)[number]

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
