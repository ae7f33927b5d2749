import type { Metadata } from 'next'
import { cookies } from 'next/headers'
import { originFacts } from '@/app/claim/origin-facts'
import { sellerOfPurchase } from '@/app/claim/seller-of'
import { Texts } from '@/app/language/texts'
import { CheckoutFrame } from '@/components/checkout/frame'
import { PlainPurchase } from '@/components/checkout/plain-purchase'
import { PurchasePage } from '@/components/checkout/purchase-page'
import { WithoutScript } from '@/components/shared/without-script'
import { now } from '@/lib/core/clock'
import { env } from '@/lib/core/env'
import { PURCHASE_COOKIE } from './purchase-cookie'
import { readPurchase } from './read-purchase'

type Props = {
  params: Promise<{ intentId: string }>
  searchParams: Promise<{ embed?: string | string[]; redirect_status?: string | string[] }>
}

export const metadata: Metadata = {
  title: 'Your purchase',
  robots: { index: false, follow: false },
  referrer: 'no-referrer',
}

/**
 * The server renders who sold it. The secret of a purchase is in the URL's fragment, which browsers don't send, so the page's script loads the
 * rest. A browser without script that ordered something free has the secret in a cookie.
 */
export default async function Page({ params, searchParams }: Props) {
  const { intentId } = await params
  const { embed, redirect_status: fromBank } = await searchParams
  const [{ networks }, seller] = await Promise.all([originFacts(), sellerOfPurchase(intentId)])
  const embedded = embed === '1'
  const secret = (await cookies()).get(PURCHASE_COOKIE)?.value
  const purchase = secret ? await readPurchase(intentId, secret) : null
  const network = networks.find(({ id }) => id === purchase?.delivery.network_id) ?? networks[0]
  return (
    <Texts of={['wallet']}>
      <CheckoutFrame seller={seller} embedded={embedded}>
        <div data-needs-script>
          <PurchasePage
            id={intentId}
            seller={seller}
            networks={networks}
            embedded={embedded}
            stripeKey={env.STRIPE_PUBLISHABLE_KEY}
            fromBank={typeof fromBank === 'string' ? fromBank : null}
          />
        </div>
        <WithoutScript>
          {purchase && network && purchase.provider !== 'CARD_PROVIDER' && purchase.provider !== 'MINT_VOUCHER' ? (
            <PlainPurchase id={intentId} purchase={purchase} network={network} now={now().getTime()} />
          ) : (
            <p className="text-muted">This page needs JavaScript. Turn it on and reload the page.</p>
          )}
        </WithoutScript>
      </CheckoutFrame>
    </Texts>
  )
}
