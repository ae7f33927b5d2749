'use server'

import { cookies } from 'next/headers'
import { redirect } from 'next/navigation'
import { DAY } from '@/lib/core/clock'
import { findLocale } from '@/lib/core/locales'
import { LOCALE_COOKIE, SECURE_COOKIES } from '@/lib/platform/auth/cookies'
import { textOf } from '@/app/public/post-from-page'
import { pageUrl } from './locale-of-page'

/** Keeps the language of the pressed button on this device, and shows the page again in it. */
export async function chooseLanguage(form: FormData): Promise<void> {
  const locale = findLocale(textOf(form, 'language') ?? '')
  const { pathname, searchParams } = await pageUrl()
  if (locale) {
    const jar = await cookies()
    jar.set(LOCALE_COOKIE, locale, {
      path: '/',
      httpOnly: true,
      sameSite: 'lax',
      secure: SECURE_COOKIES,
      maxAge: 365 * DAY,
    })
  }
  // The address would win over what was chosen.
  searchParams.delete('lang')
  redirect(searchParams.size > 0 ? `${pathname}?${searchParams}` : pathname)
}
