'use server'

import { cookies } from 'next/headers'
import { redirect } from 'next/navigation'
import { getLocale } from 'next-intl/server'
import { pageUrl } from '@/app/language/locale-of-page'
import { PURCHASE_COOKIE } from '@/app/p/[intentId]/purchase-cookie'
import { postFromPage, textOf } from '@/app/public/post-from-page'
import { POST } from '@/app/public/v1/purchase-intents/route'
import { keptQueryOf } from '@/components/checkout/kept-query'
import type { Provider } from '@/components/checkout/listing'
import { DAY } from '@/lib/core/clock'
import { env } from '@/lib/core/env'

/**
 * Orders what is free, for a browser without script, and opens the purchase's page. That page gets the secret in a
 * cookie, since the part of an address behind the # never reaches us.
 */
export async function orderFreeAction(listingId: string, provider: Provider, form: FormData): Promise<void> {
  const { refused, answer } = await postFromPage(POST, {
    path: '/public/v1/purchase-intents',
    body: {
      listing_id: listingId,
      provider,
      quantity: Number(textOf(form, 'quantity') ?? 1),
      buyer: { email: textOf(form, 'email'), eth_address: textOf(form, 'address') },
      locale: await getLocale(),
    },
    // A form that is sent again orders nothing more.
    idempotencyKey: textOf(form, 'key') ?? '',
  })
  const { searchParams } = await pageUrl()
  if (refused !== null) {
    searchParams.set('refused', refused)
    redirect(`/l/${encodeURIComponent(listingId)}?${searchParams}`)
  }
  const { id, secret } = answer as { id: string; secret: string }
  const jar = await cookies()
  jar.set(PURCHASE_COOKIE, secret, {
    path: `/p/${id}`,
    httpOnly: true,
    sameSite: 'lax',
    secure: env.ORIGIN.startsWith('https:'),
    maxAge: DAY,
  })
  redirect(`/p/${id}${keptQueryOf(searchParams)}`)
}
