import { getLocale, getTranslations } from 'next-intl/server'
import type { NetworkFacts } from '@/components/shared/network'
import { amountOf } from '@/lib/core/money'
import { sceneOf } from './purchase'
import type { PurchaseView } from './purchase'
import { PurchaseStep } from './purchase-step'
import { readUnits } from './subject'
import { SubjectCase } from './subject-case'
import { TestModeBar } from './test-mode-bar'

type Props = { id: string; purchase: PurchaseView; network: NetworkFacts; now: number }

/** The state of a purchase that was free, in a browser without script. */
export async function PlainPurchase({ id, purchase, network, now }: Props) {
  const [locale, t] = await Promise.all([getLocale(), getTranslations('purchase')])
  const scene = sceneOf(purchase, now)
  const subject = await readUnits(purchase.units, () => Promise.resolve(null), locale, t)
  return (
    <>
      {network.testnet && <TestModeBar />}
      <div className="grid grid-cols-[minmax(0,1fr)] gap-10 lg:grid-cols-[minmax(0,1.1fr)_minmax(0,1fr)] lg:gap-16">
        <SubjectCase subject={subject} />
        <section aria-label={t('page.title')} className="grid content-start gap-8">
          <PurchaseStep
            id={id}
            secret=""
            purchase={purchase}
            network={network}
            embedded={false}
            stripeKey=""
            title={subject.title}
            total={amountOf(purchase.price, purchase.currency, purchase.currency_decimals, locale)}
            now={now}
            payment={{ ...NO_PAYMENT, scene }}
            reload={() => Promise.resolve()}
          />
          <p className="text-sm text-muted">{t('page.reload')}</p>
        </section>
      </div>
    </>
  )
}

/** Nothing is paid without script. */
const NO_PAYMENT = {
  hash: null,
  transactionFailed: false,
  bankRefused: false,
  onCardPaid: () => undefined,
  onVoucherSent: () => undefined,
  forgetSent: () => undefined,
}
