'use client'

import { useEffect } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Problem } from '@/packages/client/src/call'
import type { getPublicItem } from '@/lib/platform/api/items'
import { amountOf } from '@/lib/core/money'
import { api, route } from '@/components/shared/api'
import type { NetworkFacts } from '@/components/shared/network'
import { ReportAbuse } from '@/components/shared/report'
import type { SellerFacts } from '@/components/shared/seller'
import { useNow } from './countdown'
import { tellParent } from './embedding'
import { TestModeBar } from './frame'
import { OrderSummary } from './order-summary'
import { PurchaseDetails } from './purchase-details'
import { PurchaseStep } from './purchase-step'
import { sceneOf } from './purchase'
import type { PurchaseView, Scene } from './purchase'
import { readUnits, unitsTitle } from './subject'
import { LoadingCase, SubjectCase } from './subject-case'
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
  const now = useNow(readAt)
  const payment = usePayment({ id, networkId: network.id, scene: sceneOf(purchase, now), fromBank })
  const inWords = (minor: bigint) => amountOf(minor, purchase.currency, purchase.currency_decimals)
  const total = inWords(BigInt(purchase.price))
  const isUnpaid = payment.scene === 'pay_card' || payment.scene === 'pay_wallet'

  const isConfirmed = purchase.status === 'CONFIRMED'
  useEffect(() => {
    if (isConfirmed) tellParent({ type: 'vitrine:completed', listing_id: purchase.listing_id })
  }, [isConfirmed, purchase.listing_id])

  const subject = useQuery({
    queryKey: ['subject', id],
    queryFn: () => readUnits(purchase.units, readItem),
    staleTime: Infinity,
  }).data
  const title = subject?.title ?? unitsTitle(purchase.units)

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
        <section aria-label="Your purchase" className="grid content-start gap-8">
          <p role="status" className="sr-only">
            {announcements[payment.scene]}
          </p>
          {isUnpaid && (
            <OrderSummary
              seller={seller}
              collection={purchase.units[0]?.collection_name ?? null}
              item={title}
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

const announcements = {
  pay_card: '',
  pay_wallet: '',
  confirming: 'Looking for your payment.',
  mailbox: 'It waits in your mailbox.',
  preparing: 'It is being prepared.',
  on_its_way: 'On its way to your wallet.',
  yours: 'It has arrived. It is yours.',
  refunding: 'It could not be delivered. Your money is on its way back.',
  refunded: 'You got your money back.',
  unresolved: 'A person has to look at this.',
  closing: 'The time to pay is over.',
  expired: 'The time to pay is over. Nothing was charged.',
  lapsed: 'It went back.',
  failed: 'It could not be delivered. Nothing was charged.',
  given_up: 'You gave this up.',
  suspended: 'This isn’t offered at the moment.',
  paid_suspended: 'This isn’t offered at the moment.',
} satisfies Record<Scene, string>
