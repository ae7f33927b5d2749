import { cache } from 'react'
import { headers } from 'next/headers'
import { GET } from '@/app/public/v1/purchase-intents/[purchase_intent_id]/route'
import type { PurchaseView } from '@/components/checkout/purchase'
import { env } from '@/lib/core/env'

/**
 * A purchase as the public endpoint returns it to whoever has its secret, called in process; null where the two don't
 * belong together.
 */
export const readPurchase = cache(async (id: string, secret: string): Promise<PurchaseView | null> => {
  const client = (await headers()).get('x-client-address') ?? ''
  const query = new URLSearchParams({ secret })
  const request = new Request(`${env.ORIGIN}/public/v1/purchase-intents/${encodeURIComponent(id)}?${query}`, {
    headers: { 'x-client-address': client },
  })
  const response = await GET(request, { params: Promise.resolve({ purchase_intent_id: id }) })
  if (response.status === 404) return null
  if (!response.ok) throw new Error(`The purchase could not be read: ${response.status}.`)
  return (await response.json()) as PurchaseView
})
