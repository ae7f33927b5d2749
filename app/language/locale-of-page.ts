import { cache } from 'react'
import { cookies, headers } from 'next/headers'
import { chooseLocale } from '@/lib/core/choose-locale'
import { DEFAULT_LOCALE, findLocale, type Locale } from '@/lib/core/locales'
import { LOCALE_COOKIE } from '@/lib/platform/auth/cookies'
import { PAGE_URL_HEADER } from '@/lib/platform/http/front-server'
import { localesOfPlace } from './locales-of-place'

/** The pages that are written in each language. All others are in English. */
const SPEAKING = /^\/(claims?|h|l|mails|p)(\/|$)/

/** The address of the page that is asked for, without its origin. */
export const pageUrl = async (): Promise<URL> =>
  new URL((await headers()).get(PAGE_URL_HEADER) ?? '/', 'http://localhost')

/** Whether the page that is asked for is written in each language. */
export const pageSpeaks = async (): Promise<boolean> => SPEAKING.test((await pageUrl()).pathname)

/** What the person says themselves of their language: in the address, and by a choice on this device. */
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
  if (!(await pageSpeaks())) return DEFAULT_LOCALE
  return chooseLocale({
    ...(await wishes()),
    ...(await localesOfPlace((await pageUrl()).pathname)),
    acceptLanguage: (await headers()).get('accept-language'),
  })
})
