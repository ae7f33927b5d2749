import type { Metadata } from 'next'
import { originFacts } from '@/app/claim/origin-facts'
import { sellerOfPurchase } from '@/app/claim/seller-of'
import { CheckoutFrame } from '@/components/checkout/frame'
import { PurchasePage } from '@/components/checkout/purchase-page'
import { env } from '@/lib/core/env'

type Props = {
  params: Promise<{ intentId: string }>
  searchParams: Promise<{ embed?: string | string[]; redirect_status?: string | string[] }>
}

export const metadata: Metadata = {
  title: 'Your purchase',
  robots: { index: false, follow: false },
  referrer: 'no-referrer',
}

/** The server renders nothing of the purchase but who sold it: its secret is in the URL's fragment, which browsers don't send. The page's script loads it. */
export default async function Page({ params, searchParams }: Props) {
  const { intentId } = await params
  const { embed, redirect_status: fromBank } = await searchParams
  const [{ networks }, seller] = await Promise.all([originFacts(), sellerOfPurchase(intentId)])
  const embedded = embed === '1'
  return (
    <CheckoutFrame seller={seller} embedded={embedded}>
      <PurchasePage
        id={intentId}
        networks={networks}
        embedded={embedded}
        stripeKey={env.STRIPE_PUBLISHABLE_KEY}
        fromBank={typeof fromBank === 'string' ? fromBank : null}
      />
    </CheckoutFrame>
  )
}
