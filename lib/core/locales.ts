import { match } from '@formatjs/intl-localematcher'
import Negotiator from 'negotiator'

/** The languages that pages and mails for recipients and buyers speak. */
export const LOCALES = ['en', 'de', 'fr', 'es', 'it', 'pt-BR', 'nl', 'pl', 'ja', 'ko', 'zh-Hans', 'ar'] as const
export type Locale = (typeof LOCALES)[number]

export const DEFAULT_LOCALE: Locale = 'en'

/** The languages that the dashboard and its sign-in speak. */
export const DASHBOARD_LOCALES = ['en', 'de'] as const satisfies readonly Locale[]
export type DashboardLocale = (typeof DASHBOARD_LOCALES)[number]

const NONE = 'und'
// Headers come from anywhere: what is longer isn't a person's list.
const MAX_HEADER_LENGTH = 1000

/** The language of `spoken` that comes nearest to a BCP 47 tag (`de-AT` gives `de`); null for none and for what is no tag. */
export const findLocale = (tag: string, spoken: readonly Locale[] = LOCALES): Locale | null => nearestOf([tag], spoken)

/** The first language of an Accept-Language header that is spoken. */
export const localeOfHeader = (header: string | null, spoken: readonly Locale[] = LOCALES): Locale | null =>
  header === null || header.length > MAX_HEADER_LENGTH
    ? null
    : nearestOf(new Negotiator({ headers: { 'accept-language': header } }).languages(), spoken)

/** The first language of rows that have one, such as those of a claim, its campaign and its organization. */
export const localeOf = (...stored: readonly (string | null | undefined)[]): Locale =>
  stored.find((locale) => isLocale(locale)) ?? DEFAULT_LOCALE

const isLocale = (text: string | null | undefined): text is Locale => (LOCALES as readonly unknown[]).includes(text)

export const dirOf = (locale: Locale): 'ltr' | 'rtl' => (locale === 'ar' ? 'rtl' : 'ltr')

function nearestOf(tags: string[], spoken: readonly Locale[]): Locale | null {
  for (const tag of tags.filter(isTag)) {
    const found = match([tag], spoken, NONE)
    if (found !== NONE) return found as Locale
  }
  return null
}

function isTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}
