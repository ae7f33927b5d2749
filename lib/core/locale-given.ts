import { fieldError } from './errors.ts'
import { findLocale } from './find-locale.ts'
import { type Locale, LOCALES } from './locales.ts'

/** Says which languages there are. */
export const UNSPOKEN = `This language isn’t spoken here. Give one of ${LOCALES.join(', ')}.`

/**
 * The language that a request names; null where it names none. Throws `invalid_request` for one that is nowhere near
 * those we speak.
 */
export function localeGiven(tag: string | null | undefined, field = 'locale'): Locale | null {
  if (tag == null) return null
  const locale = findLocale(tag)
  if (locale === null) throw fieldError('invalid_request', field, UNSPOKEN)
  return locale
}
