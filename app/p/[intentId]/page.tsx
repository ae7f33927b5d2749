import { cookies } from 'next/headers'
import { getTranslations } from 'next-intl/server'
import { titled } from '@/app/language/titled'
import { originFacts } from '@/app/claim/origin-facts'
import { sellerOfPurchase } from '@/app/claim/seller-of'
import { isLocaleChosen } from '@/app/language/locale-of-page'
import { PageFrame } from '@/app/language/page-frame'
import { EmbeddedFrame } from '@/components/checkout/embedded-frame'
import { PlainPurchase } from '@/components/checkout/plain-purchase'
import { PurchasePage } from '@/components/checkout/purchase-page'
import { SecretField } from '@/components/checkout/secret-field'
import { WithoutScript } from '@/components/shared/without-script'
import { now } from '@/lib/core/clock'
import { env } from '@/lib/core/env'
import { PURCHASE_COOKIE } from './purchase-cookie'
import { readPurchase } from './read-purchase'

type Props = {
  params: Promise<{ intentId: string }>
  searchParams: Promise<{ embed?: string | string[]; redirect_status?: string | string[] }>
}

/** The texts of a purchase and its summary, with the steps of a wallet that pays. */
const TEXTS = ['order', 'purchase', 'wallet'] as const

export const generateMetadata = titled('purchase.page', 'title', {
  robots: { index: false, follow: false },
  // The form of its language switch is accepted by its Origin, which browsers leave out under no-referrer.
  referrer: 'same-origin',
})

/**
 * The server renders who sold it. The secret of a purchase is in the URL's fragment, which browsers don't send, so the
 * page's script loads the rest. A browser without script that ordered something free has the secret in a cookie.
 */
export default async function Page({ params, searchParams }: Props) {
  const { intentId } = await params
  const { embed, redirect_status: fromBank } = await searchParams
  const [{ networks }, seller, localeIsChosen, t] = await Promise.all([
    originFacts(),
    sellerOfPurchase(intentId),
    isLocaleChosen(),
    getTranslations('purchase.page'),
  ])
  const embedded = embed === '1'
  const secret = (await cookies()).get(PURCHASE_COOKIE)?.value
  const purchase = secret ? await readPurchase(intentId, secret) : null
  const network = networks.find(({ id }) => id === purchase?.delivery.network_id) ?? networks[0]
  return (
    <PageFrame
      seller={seller}
      texts={TEXTS}
      withChoice={<SecretField id={intentId} />}
      {...(embedded && { frame: EmbeddedFrame })}
    >
      <div data-needs-script>
        <PurchasePage
          id={intentId}
          seller={seller}
          networks={networks}
          embedded={embedded}
          stripeKey={env.STRIPE_PUBLISHABLE_KEY}
          fromBank={typeof fromBank === 'string' ? fromBank : null}
          localeIsChosen={localeIsChosen}
        />
      </div>
      <WithoutScript>
        {purchase && network && purchase.provider !== 'CARD_PROVIDER' && purchase.provider !== 'MINT_VOUCHER' ? (
          <PlainPurchase id={intentId} purchase={purchase} network={network} now={now().getTime()} />
        ) : (
          <p className="text-muted">{t('needsScript')}</p>
        )}
      </WithoutScript>
    </PageFrame>
  )
}
