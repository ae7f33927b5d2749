import { cache } from 'react'
import { cookies, headers } from 'next/headers'
import { chooseLocale } from '@/lib/core/choose-locale'
import { DEFAULT_LOCALE, type Locale } from '@/lib/core/locales'
import { LOCALE_COOKIE } from '@/lib/platform/auth/cookies'
import { PAGE_URL_HEADER } from '@/lib/platform/http/front-server'
import { localesOfPlace } from './locales-of-place'

/** The pages that are written in each language. All others are in English. */
const SPEAKING = /^\/(claims?|h|mails|wallet)(\/|$)/

/** The address of the page that is asked for, without its origin. */
export const pageUrl = async (): Promise<URL> =>
  new URL((await headers()).get(PAGE_URL_HEADER) ?? '/', 'http://localhost')

/** Whether the page that is asked for is written in each language. */
export const pageSpeaks = async (): Promise<boolean> => SPEAKING.test((await pageUrl()).pathname)

/** The language of the page that is asked for, decided once for a request. */
export const localeOfPage = cache(async (): Promise<Locale> => {
  const { pathname, searchParams } = await pageUrl()
  if (!(await pageSpeaks())) return DEFAULT_LOCALE
  const jar = await cookies()
  return chooseLocale({
    asked: searchParams.getAll('lang'),
    kept: jar.get(LOCALE_COOKIE)?.value ?? null,
    ...(await localesOfPlace(pathname, searchParams)),
    acceptLanguage: (await headers()).get('accept-language'),
  })
})
