'use client'

import { useEffect } from 'react'
import { useQuery } from '@tanstack/react-query'
import { useLocale, useTranslations } from 'next-intl'
import { Problem } from '@/packages/client/src/call'
import type { getPublicItem } from '@/lib/platform/api/items'
import { amountOf } from '@/lib/core/money'
import { api, route } from '@/components/shared/api'
import type { NetworkFacts } from '@/components/shared/network'
import { ReportAbuse } from '@/components/shared/report'
import type { SellerFacts } from '@/components/shared/seller'
import { Quoted } from '@/components/ui/quoted'
import { useNow } from './countdown'
import { tellParent } from './embedding'
import { OrderSummary } from './order-summary'
import { PurchaseDetails } from './purchase-details'
import { PurchaseStep } from './purchase-step'
import { isUnpaid, sceneOf } from './purchase'
import type { PurchaseView } from './purchase'
import { readUnits, titlesOf, unitsTitle } from './subject'
import { LoadingCase, SubjectCase } from './subject-case'
import { TestModeBar } from './test-mode-bar'
import { usePayment } from './use-payment'

export type LoadedPurchaseProps = {
  id: string
  seller: SellerFacts | null
  embedded: boolean
  /** Stripe's publishable key; empty where cards aren't charged through Stripe. */
  stripeKey: string
  /** `succeeded` or `failed` where the bank sent the buyer back here. */
  fromBank: string | null
  secret: string
  purchase: PurchaseView
  network: NetworkFacts
  readAt: number
  reload: () => Promise<unknown>
}

/** The purchase's page: what is bought beside the current step and its details. */
export function LoadedPurchase(props: LoadedPurchaseProps) {
  const { id, seller, secret, purchase, network, embedded, stripeKey, fromBank, readAt, reload } = props
  const t = useTranslations('purchase')
  const locale = useLocale()
  const now = useNow(readAt)
  const payment = usePayment({ id, networkId: network.id, scene: sceneOf(purchase, now), fromBank })
  const inWords = (minor: bigint) => amountOf(minor, purchase.currency, purchase.currency_decimals, locale)
  const total = inWords(BigInt(purchase.price))

  const isConfirmed = purchase.status === 'CONFIRMED'
  useEffect(() => {
    if (isConfirmed) tellParent({ type: 'vitrine:completed', listing_id: purchase.listing_id })
  }, [isConfirmed, purchase.listing_id])

  const subject = useQuery({
    queryKey: ['subject', id, locale],
    queryFn: () => readUnits(purchase.units, readItem, locale, t),
    staleTime: Infinity,
  }).data
  const title = subject?.title ?? unitsTitle(titlesOf(purchase.units), t)

  return (
    <>
      {network.testnet && <TestModeBar />}
      <div className="grid grid-cols-[minmax(0,1fr)] gap-10 lg:grid-cols-[minmax(0,1.1fr)_minmax(0,1fr)] lg:gap-16">
        <div className="lg:sticky lg:top-8 lg:self-start">
          {subject ? (
            <SubjectCase subject={subject} quantity={subject.kind === 'item' ? Number(purchase.quantity) : 1} />
          ) : (
            <LoadingCase title={title} />
          )}
        </div>
        <section aria-label={t('page.title')} className="grid content-start gap-8">
          <p role="status" className="sr-only">
            {!isUnpaid(payment.scene) && t(`status.${payment.scene}`)}
          </p>
          {isUnpaid(payment.scene) && (
            <OrderSummary
              seller={seller}
              collection={purchase.units[0]?.collection_name ?? null}
              item={<Quoted>{title}</Quoted>}
              quantity={Number(purchase.quantity)}
              price={inWords(BigInt(purchase.price) / BigInt(purchase.quantity))}
              total={total}
            />
          )}
          <PurchaseStep
            id={id}
            secret={secret}
            purchase={purchase}
            network={network}
            embedded={embedded}
            stripeKey={stripeKey}
            title={title}
            total={total}
            now={now}
            payment={payment}
            reload={reload}
          />
          <PurchaseDetails purchase={purchase} network={network} total={total} sentHash={payment.hash} />
          <ReportAbuse subject={{ type: 'PURCHASE', id, secret }} />
        </section>
      </div>
    </>
  )
}

const itemRoute = route<typeof getPublicItem>('GET', '/public/v1/items/{item_id}')

const readItem = (itemId: string) =>
  api(itemRoute, { params: { item_id: itemId } }).catch((failure: unknown) => {
    if (failure instanceof Problem && failure.status === 404) return null
    throw failure
  })
