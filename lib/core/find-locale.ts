import { match } from '@formatjs/intl-localematcher'
import Negotiator from 'negotiator'
import { type Locale, LOCALES } from './locales.ts'

// A file of its own: tables of languages stay out of the scripts of pages, which know the languages only by name.

const NONE = 'und'
// Headers come from anywhere: what is longer isn't a person's list.
const MAX_HEADER_LENGTH = 1000

/**
 * The language of `spoken` that comes nearest to a BCP 47 tag (`de-AT` gives `de`); null for none and for what is no
 * tag.
 */
export const findLocale = (tag: string, spoken: readonly Locale[] = LOCALES): Locale | null => nearestOf([tag], spoken)

/** The first language of an Accept-Language header that is spoken. */
export const localeOfHeader = (header: string | null, spoken: readonly Locale[] = LOCALES): Locale | null =>
  header === null || header.length > MAX_HEADER_LENGTH
    ? null
    : nearestOf(new Negotiator({ headers: { 'accept-language': header } }).languages(), spoken)

function nearestOf(tags: string[], spoken: readonly Locale[]): Locale | null {
  for (const tag of tags.filter(isTag)) {
    // Who reads a language in another script, as zh-TW does, reads ours rather than another language.
    const found = [tag, new Intl.Locale(tag).language].map((one) => match([one], spoken, NONE)).find(isFound)
    if (found) return found as Locale
  }
  return null
}

const isFound = (locale: string): boolean => locale !== NONE

function isTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}
