'use client'

import { useHydrated } from './use-hydrated'

const utc: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }
const local: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'short' }

const steps: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

function fromNow(at: Date): string {
  const seconds = Math.round((at.getTime() - Date.now()) / 1000)
  const step = steps.find(([, length]) => Math.abs(seconds) >= length)
  const format = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
  return step ? format.format(Math.trunc(seconds / step[1]), step[0]) : 'just now'
}

/** A moment: in UTC until the page is hydrated, then in the reader's time zone. `relative` writes “3 hours ago”. */
export function Time({ at, relative = false }: { at: string | Date; relative?: boolean }) {
  const hydrated = useHydrated()
  const moment = new Date(at)
  const written = new Intl.DateTimeFormat('en-GB', hydrated ? local : utc).format(moment)
  const full = hydrated ? written : `${written} UTC`
  return (
    <time dateTime={moment.toISOString()} title={full} className="whitespace-nowrap">
      {hydrated && relative ? fromNow(moment) : full}
    </time>
  )
}
