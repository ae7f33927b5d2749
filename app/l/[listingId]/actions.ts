'use server'

import { cookies } from 'next/headers'
import { redirect } from 'next/navigation'
import { PURCHASE_COOKIE } from '@/app/p/[intentId]/purchase-cookie'
import { postFromPage, textOf } from '@/app/public/post-from-page'
import { POST } from '@/app/public/v1/purchase-intents/route'
import type { Provider } from '@/components/checkout/listing'
import { DAY } from '@/lib/core/clock'
import { env } from '@/lib/core/env'

/**
 * Orders what is free, for a browser without script, and opens the purchase's page. That page gets the secret in a cookie, since the part of an
 * address behind the # never reaches us.
 */
export async function orderFreeAction(listingId: string, provider: Provider, form: FormData): Promise<void> {
  const { refused, answer } = await postFromPage(POST, {
    path: '/public/v1/purchase-intents',
    body: {
      listing_id: listingId,
      provider,
      quantity: Number(textOf(form, 'quantity') ?? 1),
      buyer: { email: textOf(form, 'email'), eth_address: textOf(form, 'address') },
    },
    // A form that is sent again orders nothing more.
    idempotencyKey: textOf(form, 'key') ?? '',
  })
  if (refused !== null) redirect(`/l/${encodeURIComponent(listingId)}?refused=${refused}`)
  const { id, secret } = answer as { id: string; secret: string }
  const jar = await cookies()
  jar.set(PURCHASE_COOKIE, secret, {
    path: `/p/${id}`,
    httpOnly: true,
    sameSite: 'lax',
    secure: env.ORIGIN.startsWith('https:'),
    maxAge: DAY,
  })
  redirect(`/p/${id}`)
}
