'use server'

import { cookies } from 'next/headers'
import { redirect } from 'next/navigation'
import { DAY } from '@/lib/core/clock'
import { findLocale } from '@/lib/core/find-locale'
import type { Locale } from '@/lib/core/locales'
import { LOCALE_COOKIE, SECURE_COOKIES } from '@/lib/platform/auth/cookies'
import { act } from '@/lib/platform/http/action'
import { PURCHASE_COOKIE } from '@/app/p/[intentId]/purchase-cookie'
import { postFromPage, textOf } from '@/app/public/post-from-page'
import { PUT as recordForClaim } from '@/app/public/v1/email-claims/[claim_token]/locale/route'
import { PUT as recordForPurchase } from '@/app/public/v1/purchase-intents/[purchase_intent_id]/locale/route'
import { handlers as web } from '@/lib/web/locale-choices'
import { pageUrl } from './locale-of-page'
import { claimTokenAt, purchaseIdAt } from './locales-of-place'

/**
 * Keeps the language of the pressed button on this device, and shows the page again in it. `secret` of the form is that
 * of a purchase.
 */
export async function chooseLanguage(form: FormData): Promise<void> {
  const locale = findLocale(textOf(form, 'language') ?? '')
  const secret = textOf(form, 'secret')
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
    await tellPurchase(pathname, secret, locale)
    await tellMember(pathname, locale)
  }
  // The address would win over what was chosen. In a frame of another site browsers keep no cookie of ours, so there
  // the address says it.
  if (locale && searchParams.get('embed') === '1') searchParams.set('lang', locale)
  else searchParams.delete('lang')
  const query = searchParams.size > 0 ? `?${searchParams}` : ''
  // A browser without script keeps the part behind the # by itself.
  redirect(`${pathname}${query}${secret === null ? '' : `#${encodeURIComponent(secret)}`}`)
}

/**
 * Further mails of a claim follow what its recipient chose on its page. The choice holds here even where they can't be
 * told.
 */
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

/** Mails to a member follow what they chose in the dashboard. */
async function tellMember(pathname: string, locale: Locale): Promise<void> {
  if (pathname.split('/')[1] !== 'dashboard') return
  await act(web.chooseMemberLocale, { body: { locale } })
}

/**
 * Records the language of a purchase, for its mails. Its secret comes with the form, or in a browser without script in
 * a cookie.
 */
async function tellPurchase(pathname: string, inForm: string | null, locale: Locale): Promise<void> {
  const id = purchaseIdAt(pathname)
  const secret = inForm ?? (await cookies()).get(PURCHASE_COOKIE)?.value
  if (id === null || !secret) return
  await postFromPage(recordForPurchase, {
    method: 'PUT',
    path: `/public/v1/purchase-intents/${encodeURIComponent(id)}/locale?${new URLSearchParams({ secret })}`,
    params: { purchase_intent_id: id },
    body: { locale },
  })
}
