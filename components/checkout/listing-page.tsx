'use client'

import { useState } from 'react'
import type { ReactNode } from 'react'
import { useQuery } from '@tanstack/react-query'
import { useLocale, useTranslations } from 'next-intl'
import { Alert } from '@/components/ui/alert'
import { Badge } from '@/components/ui/badge'
import { Sentence } from '@/components/ui/sentence'
import { Time } from '@/components/ui/time'
import { useHydrated } from '@/components/ui/use-hydrated'
import { later } from '@/components/shared/later'
import type { NetworkFacts } from '@/components/shared/network'
import { Queries } from '@/components/shared/queries'
import { ReportAbuse } from '@/components/shared/report'
import { useFailureText } from '@/components/shared/failure-text'
import type { SellerFacts } from '@/components/shared/seller'
import { Step } from '@/components/shared/step'
import { useChanges } from '@/components/shared/use-changes'
import { useIdempotentSend } from '@/components/shared/use-idempotent-send'
import { Problem } from '@/packages/client/src/call'
import { formatTagOf } from '@/lib/core/format-tag'
import { amountOf } from '@/lib/core/money'
import { BuyForm, type Busy } from './buy-form'
import { Closed } from './closed'
import { ClosedPage } from './closed-page'
import { Countdown, useNow } from './countdown'
import { askListingVersion, getEligibility, getListing, offerOf } from './listing'
import type { Eligibility, ListingView, Offer } from './listing'
import { keptQueryOf } from './kept-query'
import { OneMoment } from './one-moment'
import { OrderedItem, OrderSummary } from './order-summary'
import { createPurchase } from './purchase'
import type { OrderChoice } from './purchase'
import { readStoredSecret } from './secret'
import type { Subject } from './subject'
import type { FoundPurchase } from './take-over'

const TakeOver = later(() => import('./take-over').then((module) => module.TakeOver), OneMoment)

export type ListingPageProps = {
  initial: ListingView
  subject: Pick<Subject, 'kind' | 'title' | 'collection'>
  /** The subject as the server has drawn it, whose script no browser needs. */
  subjectCase: ReactNode
  seller: SellerFacts | null
  network: NetworkFacts
  readAt: number
}

export function ListingPage(props: ListingPageProps) {
  return (
    <Queries>
      <Listing {...props} />
    </Queries>
  )
}

function Listing({ initial, subject, subjectCase, seller, network, readAt }: ListingPageProps) {
  const t = useTranslations('checkout')
  const tOrder = useTranslations('order')
  const locale = useLocale()
  const query = useQuery({
    queryKey: ['listing', initial.id],
    queryFn: ({ signal }) => getListing(initial.id, signal),
    initialData: initial,
    staleTime: 5_000,
    retry: (count, failure) => count < 2 && !isNotFound(failure),
  })
  const listing = query.data
  useChanges(initial.id, askListingVersion(initial.id), () => query.refetch())
  const now = useNow(readAt)
  const offer = offerOf(listing, now)
  const hydrated = useHydrated()
  const buying = useBuying(listing.id, () => void query.refetch())
  const sentenceOfStock = useSentenceOfStock(listing, offer)
  const inWords = (minor: bigint) =>
    minor === 0n ? tOrder('free') : amountOf(minor, listing.currency, listing.price_currency_decimals, locale)
  const price = inWords(BigInt(listing.price))
  // Whoever is ordering the last one isn't told meanwhile that it is gone.
  const isOpen = offer === 'open' || buying.busy !== null

  if (isNotFound(query.error)) return <ClosedPage reason="unknown_listing" />

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-10 lg:grid-cols-[minmax(0,1.1fr)_minmax(0,1fr)] lg:gap-16">
      <div className="lg:sticky lg:top-8 lg:self-start">{subjectCase}</div>
      <section aria-label={t('section')} className="grid content-start gap-8">
        <div className="grid gap-2">
          <p className="text-3xl font-medium">{price}</p>
          <p className="flex flex-wrap items-center gap-x-4 gap-y-2 text-sm text-muted">
            {offer === 'open' && <Left listing={listing} />}
            {offer === 'open' && listing.end_time && (
              <span>
                <Sentence>{t.rich('endsIn', { left: () => <Countdown to={listing.end_time!} now={now} /> })}</Sentence>
              </span>
            )}
          </p>
        </div>
        <p role="status" className="sr-only">
          {hydrated && !buying.busy && (isQuiet(offer) ? sentenceOfStock : t(`status.${offer}`))}
        </p>
        {isOpen ? (
          <div className="grid gap-5">
            {buying.refusal && (
              <Alert tone="warning" title={buying.refusal.title} live>
                {buying.refusal.sentence}
              </Alert>
            )}
            {buying.found ? (
              <TakeOver found={buying.found} network={network} onTaken={buying.open} />
            ) : (
              <BuyForm
                listing={listing}
                network={network}
                busy={buying.busy}
                onBuy={buying.buy}
                summary={(quantity) => (
                  <OrderSummary
                    seller={seller}
                    collection={subject.collection}
                    item={<OrderedItem subject={subject} />}
                    quantity={quantity}
                    price={price}
                    total={inWords(BigInt(listing.price) * BigInt(quantity))}
                  />
                )}
              />
            )}
          </div>
        ) : (
          <NotOpen offer={offer} listing={listing} now={now} />
        )}
        <ReportAbuse subject={{ type: 'LISTING', id: listing.id }} />
      </section>
    </div>
  )
}

/** Whether the offer needn't be said aloud: the page shows it. */
const isQuiet = (offer: Offer): offer is 'open' | 'not_started' => offer === 'open' || offer === 'not_started'

const isNotFound = (failure: unknown) => failure instanceof Problem && failure.status === 404

/** The sentence to say aloud about the stock once it has changed while the page is open. */
function useSentenceOfStock({ quantity_remaining: left, quantity_listed: listed }: ListingView, offer: Offer): string {
  const t = useTranslations('checkout.stock')
  const [first] = useState(left)
  const [hasChanged, setChanged] = useState(false)
  if (left !== first && !hasChanged) setChanged(true)
  return hasChanged && offer === 'open' ? t('now', { left: String(left), listed: String(listed) }) : ''
}

function Left({ listing }: { listing: ListingView }) {
  const t = useTranslations('checkout.stock')
  const locale = useLocale()
  const [left, listed] = [Number(listing.quantity_remaining), Number(listing.quantity_listed)]
  if (listed === 1) return <Badge tone="info">{t('onlyOne')}</Badge>
  const { format } = new Intl.NumberFormat(formatTagOf(locale))
  return (
    <Badge tone={left * 10 <= listed ? 'warning' : 'info'}>
      {t('left', { left: format(left), listed: format(listed) })}
    </Badge>
  )
}

function NotOpen({ offer, listing, now }: { offer: Exclude<Offer, 'open'>; listing: ListingView; now: number }) {
  const t = useTranslations('checkout.notYet')
  if (offer === 'not_started' && listing.start_time)
    return (
      <Step
        title={t('title')}
        takeFocus={false}
        lead={<Sentence>{t.rich('lead', { moment: () => <Time at={listing.start_time!} /> })}</Sentence>}
      >
        <p className="text-3xl font-medium">
          <Countdown to={listing.start_time} now={now} />
        </p>
        <p className="text-sm text-muted">{t('wait')}</p>
      </Step>
    )
  if (offer === 'sold_out') return <Closed reason={listing.status === 'COMPLETE' ? 'gone' : 'sold_out'} />
  return <Closed reason={offer === 'not_started' ? 'paused' : offer} />
}

type Refusal = { title: string; sentence: string }
/**
 * Checks eligibility, reserves the units and opens the purchase's own page. `found`: it is open, and not by this
 * browser.
 */
function useBuying(listingId: string, onStale: () => void) {
  const locale = useLocale()
  const { notEligible, refusalOf } = useRefusals()
  const [busy, setBusy] = useState<Busy>(null)
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const [found, setFound] = useState<FoundPurchase | null>(null)
  const sendIdempotently = useIdempotentSend()

  async function buy(choice: OrderChoice) {
    setBusy('sending')
    setRefusal(null)
    const order = { listing_id: listingId, ...choice, locale }
    try {
      const eligibility = await findEligibility(listingId, choice.buyer)
      if (eligibility && !eligibility.is_eligible) return refuse(notEligible(eligibility))
      open(
        await sendIdempotently(JSON.stringify(order), (key) => createPurchase(order, key, () => setBusy('proving'))),
        choice.buyer.eth_address,
      )
    } catch (failure) {
      const openId = failure instanceof Problem && failure.code === 'purchase_open' && failure.body.purchase_intent_id
      if (typeof openId === 'string') return open({ id: openId, secret: null }, choice.buyer.eth_address)
      if (failure instanceof Problem && failure.status === 409) onStale()
      refuse(refusalOf(failure))
    }
  }

  function open({ id, secret }: { id: string; secret: string | null }, address: string | null = null) {
    const known = secret ?? readStoredSecret(id)
    if (known) {
      // A full page load: the purchase's page has a secret in its address, so its headers keep that from other sites.
      // eslint-disable-next-line @next/next/no-location-assign-relative-destination
      return location.assign(`/p/${id}${keptQueryOf(new URLSearchParams(location.search))}#${known}`)
    }
    if (address) setFound({ id, address })
    setBusy(null)
  }

  function refuse(why: Refusal) {
    setRefusal(why)
    setBusy(null)
  }

  return { busy, refusal, found, buy, open }
}

/**
 * null where too many people asked from this client's network: the purchase itself is refused where the rules say so.
 */
async function findEligibility(listingId: string, buyer: OrderChoice['buyer']): Promise<Eligibility | null> {
  try {
    return await getEligibility(listingId, buyer)
  } catch (failure) {
    if (failure instanceof Problem && failure.code === 'rate_limited') return null
    throw failure
  }
}

function useRefusals() {
  const t = useTranslations('checkout.refused')
  const failureText = useFailureText()
  return {
    refusalOf: (failure: unknown): Refusal =>
      failure instanceof Problem && failure.code === 'sold_out'
        ? { title: t('fasterTitle'), sentence: t('faster') }
        : { title: t('failedTitle'), sentence: failureText(failure) },
    notEligible: ({ reason }: Eligibility): Refusal => ({
      title: t('notYoursTitle'),
      sentence: reason ? t(`reasons.${reason}`) : t('notYours'),
    }),
  }
}
