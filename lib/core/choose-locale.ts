import { DEFAULT_LOCALE, findLocale, type Locale, localeOfHeader } from './locales.ts'

/** What says which language a person reads; null where nothing does. */
export type LocaleHints = {
  /** Each `lang` of the address. */
  asked: readonly string[]
  /** What the person chose on this device. */
  kept: string | null
  /** The language of the claim, purchase or campaign that the page shows. */
  stored: string | null
  acceptLanguage: string | null
  organization: string | null
}

/** The language of a page: the first hint that names one we speak, in the order of the fields. */
export const chooseLocale = ({ asked, kept, stored, acceptLanguage, organization }: LocaleHints): Locale =>
  firstSpoken(asked) ??
  firstSpoken([kept, stored]) ??
  localeOfHeader(acceptLanguage) ??
  firstSpoken([organization]) ??
  DEFAULT_LOCALE

function firstSpoken(tags: readonly (string | null)[]): Locale | null {
  for (const tag of tags) {
    const found = tag === null ? null : findLocale(tag)
    if (found) return found
  }
  return null
}
