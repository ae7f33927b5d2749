'use client'

import { useLocale } from 'next-intl'
import { formatTagOf } from '@/lib/core/format-tag'
import { useHydrated } from './use-hydrated'

const utc: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }
const local: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'short' }

type Props = {
  at: string | Date
  /** Writes the moment in another way once the page is hydrated; the full date and time stay as the tooltip. */
  format?: (moment: Date) => string
}

/** A moment: in UTC until the page is hydrated, then in the reader's time zone. */
export function Time({ at, format }: Props) {
  const locale = useLocale()
  const hydrated = useHydrated()
  const moment = new Date(at)
  const written = new Intl.DateTimeFormat(formatTagOf(locale), hydrated ? local : utc).format(moment)
  const full = hydrated ? written : `${written} UTC`
  return (
    <time dateTime={moment.toISOString()} title={full} className="sm:whitespace-nowrap">
      {hydrated && format ? format(moment) : full}
    </time>
  )
}
