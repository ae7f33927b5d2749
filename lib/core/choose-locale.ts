import { findLocale, localeOfHeader } from './find-locale.ts'
import { DEFAULT_LOCALE, type Locale, LOCALES } from './locales.ts'

/** Hints at the language that a person reads. null: this hint isn't there. */
export type LocaleHints = {
  /** Each `lang` of the address. */
  asked: readonly string[]
  /** The language that the person chose on this device. */
  kept: string | null
  /** The language of the claim, purchase or campaign that the page shows, or of the member who reads it. */
  stored: string | null
  acceptLanguage: string | null
  organization: string | null
}

/** The language of a page: the first hint that names one that it speaks, in the order of the fields. */
export const chooseLocale = (
  { asked, kept, stored, acceptLanguage, organization }: LocaleHints,
  spoken: readonly Locale[] = LOCALES,
): Locale =>
  firstSpoken(asked, spoken) ??
  firstSpoken([kept, stored], spoken) ??
  localeOfHeader(acceptLanguage, spoken) ??
  firstSpoken([organization], spoken) ??
  DEFAULT_LOCALE

function firstSpoken(tags: readonly (string | null)[], spoken: readonly Locale[]): Locale | null {
  for (const tag of tags) {
    const found = tag === null ? null : findLocale(tag, spoken)
    if (found) return found
  }
  return null
}
