import { cache } from 'react'
import { cookies, headers } from 'next/headers'
import { chooseLocale } from '@/lib/core/choose-locale'
import { findLocale } from '@/lib/core/find-locale'
import { DASHBOARD_LOCALES, DEFAULT_LOCALE, type Locale, LOCALES } from '@/lib/core/locales'
import { LOCALE_COOKIE } from '@/lib/platform/auth/cookies'
import { PAGE_URL_HEADER } from '@/lib/platform/http/front-server'
import { localesOfPlace } from './locales-of-place'

/**
 * The pages that are written in each language, and those in the languages of the dashboard. All others are in English.
 */
const SPEAKING = /^\/($|(c|claims?|h|i|l|mails|o|p|wallet)(\/|$))/
const DASHBOARD = /^\/(dashboard|sign-in)(\/|$)/
const SPOKEN = { all: LOCALES, dashboard: DASHBOARD_LOCALES, none: [DEFAULT_LOCALE] } as const satisfies Record<
  string,
  readonly Locale[]
>

/** The address of the page that is asked for, without its origin. */
export const pageUrl = async (): Promise<URL> =>
  new URL((await headers()).get(PAGE_URL_HEADER) ?? '/', 'http://localhost')

/** In which languages the page that is asked for is written. */
export async function languagesOfPage(): Promise<keyof typeof SPOKEN> {
  const { pathname } = await pageUrl()
  if (SPEAKING.test(pathname)) return 'all'
  return DASHBOARD.test(pathname) ? 'dashboard' : 'none'
}

/** Whether the page that is asked for is written in each language. */
export const pageSpeaks = async (): Promise<boolean> => (await languagesOfPage()) === 'all'

/** The person's own wishes for a language: in the address, and by a choice on this device. */
const wishes = async () => ({
  asked: (await pageUrl()).searchParams.getAll('lang'),
  kept: (await cookies()).get(LOCALE_COOKIE)?.value ?? null,
})

/** Whether the person themselves says which language the page is in. */
export async function isLocaleChosen(): Promise<boolean> {
  const { asked, kept } = await wishes()
  return [...asked, kept ?? ''].some((tag) => findLocale(tag) !== null)
}

/** The language of the page that is asked for, decided once for a request. */
export const localeOfPage = cache(async (): Promise<Locale> => {
  const languages = await languagesOfPage()
  if (languages === 'none') return DEFAULT_LOCALE
  const { pathname, searchParams } = await pageUrl()
  const hints = {
    ...(await wishes()),
    ...(await localesOfPlace(pathname, searchParams)),
    acceptLanguage: (await headers()).get('accept-language'),
  }
  return chooseLocale(hints, SPOKEN[languages])
})
