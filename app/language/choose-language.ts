'use server'

import { cookies } from 'next/headers'
import { redirect } from 'next/navigation'
import { DAY } from '@/lib/core/clock'
import { findLocale, type Locale } from '@/lib/core/locales'
import { LOCALE_COOKIE, SECURE_COOKIES } from '@/lib/platform/auth/cookies'
import { postFromPage, textOf } from '@/app/public/post-from-page'
import { PUT as recordForClaim } from '@/app/public/v1/email-claims/[claim_token]/locale/route'
import { pageUrl } from './locale-of-page'
import { claimTokenAt } from './locales-of-place'

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
    await tellClaim(pathname, locale)
  }
  // The address would win over what was chosen.
  searchParams.delete('lang')
  redirect(searchParams.size > 0 ? `${pathname}?${searchParams}` : pathname)
}

/** Further mails of a claim follow what its recipient chose on its page. The choice holds here even where they can't be told. */
async function tellClaim(pathname: string, locale: Locale): Promise<void> {
  const token = await claimTokenAt(pathname)
  if (token === null) return
  await postFromPage(recordForClaim, {
    method: 'PUT',
    path: `/public/v1/email-claims/${encodeURIComponent(token)}/locale`,
    params: { claim_token: token },
    body: { locale },
  })
}
