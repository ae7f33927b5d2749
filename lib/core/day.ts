import { formatTagOf } from './format-tag.ts'
import type { Locale } from './locales.ts'
import { oncePerProcess } from './once-per-process.ts'

const formats = oncePerProcess('formats of days', () => new Map<Locale, Intl.DateTimeFormat>())

/** A day for people, by UTC: 20 December 2026. */
export function dayOf(date: Date, locale: Locale = 'en'): string {
  const format = formats.get(locale) ?? formatOf(locale)
  formats.set(locale, format)
  return format.format(date)
}

const formatOf = (locale: Locale) =>
  new Intl.DateTimeFormat(locale === 'en' ? 'en-GB' : locale, {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })

/** A date with its time for people, by UTC: 20 December 2026 at 12:00 UTC. */
export const momentOf = (date: Date, locale: Locale): string =>
  `${date.toLocaleString(formatTagOf(locale), { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })} UTC`
