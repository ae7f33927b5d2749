'use client'

import { useEffect, useState, useSyncExternalStore } from 'react'
import dynamic from 'next/dynamic'
import { useQuery } from '@tanstack/react-query'
import { MailOpen } from 'lucide-react'
import { Alert } from '@/components/ui/alert'
import { Button, LinkButton } from '@/components/ui/button'
import { ConfirmDialog } from '@/components/ui/dialog'
import { Spinner } from '@/components/ui/spinner'
import { useAlive } from '@/components/ui/use-alive'
import type { NetworkFacts } from '@/components/shared/network'
import { Queries } from '@/components/shared/queries'
import { transactionFailed } from '@/components/wallet/relay'
import { write } from '@/components/shared/remember'
import { Problem, request, sentenceOf } from '@/components/shared/request'
import { Step } from '@/components/shared/step'
import { useStored } from '@/components/shared/use-stored'
import { amountOf } from '@/lib/core/money'
import { Closed } from './closed'
import { Countdown, useNow } from './countdown'
import { tellParent } from './embedding'
import { TestModeBar } from './frame'
import { PurchaseDetails } from './purchase-details'
import { PurchaseProgress } from './purchase-progress'
import { cardDataOf, getPurchase, giveUp, newsIn, sceneOf, voucherOf } from './purchase'
import type { PurchaseView, Scene } from './purchase'
import { keptSecret, keepSecret } from './secret'
import { readUnits, unitsTitle } from './subject'
import type { Reader } from './subject'
import { CaseToCome, SubjectCase } from './subject-case'

export type PurchasePageProps = {
  id: string
  networks: NetworkFacts[]
  embedded: boolean
  /** The publishable key of Stripe, where cards are charged through it; empty where none are. */
  stripeKey: string
  /** How the bank sent the buyer back, if it did: `succeeded` or `failed`. */
  fromBank: string | null
}

export function PurchasePage(props: PurchasePageProps) {
  const secret = useSyncExternalStore(
    onHash,
    () => keptSecret(props.id),
    () => null,
  )
  const alive = useAlive()
  useEffect(() => {
    if (secret) keepSecret(props.id, secret)
  }, [props.id, secret])

  if (!alive) return <Opening />
  if (!secret) return <Closed reason={props.fromBank ? 'back_from_bank' : 'unknown_purchase'} alone />
  return (
    <Queries>
      <Purchase {...props} secret={secret} />
    </Queries>
  )
}

function onHash(listener: () => void): () => void {
  window.addEventListener('hashchange', listener)
  return () => window.removeEventListener('hashchange', listener)
}

function Opening() {
  return (
    <div className="grid place-items-center gap-4 py-24 text-muted">
      <h1 className="sr-only">Your purchase</h1>
      <Spinner label="Opening your purchase" />
    </div>
  )
}

const StripeForm = dynamic(() => import('./stripe-form').then((module) => module.StripeForm), {
  ssr: false,
  loading: () => <Spinner label="One moment" />,
})
const CardForm = dynamic(() => import('./card-form').then((module) => module.CardForm), {
  ssr: false,
  loading: () => <Spinner label="One moment" />,
})
const PayVoucher = dynamic(() => import('./pay-voucher').then((module) => module.PayVoucher), {
  ssr: false,
  loading: () => <Spinner label="One moment" />,
})

const readPublic: Reader = <Answer,>(path: string) =>
  request<Answer>('GET', path).catch((failure) => {
    if (failure instanceof Problem && failure.status === 404) return null
    throw failure
  })

function Purchase({ id, secret, networks, embedded, stripeKey, fromBank }: PurchasePageProps & { secret: string }) {
  const query = useQuery({
    queryKey: ['purchase', id],
    queryFn: ({ signal }) => getPurchase(id, secret, signal),
    refetchInterval: ({ state }) => (state.data ? newsIn(sceneOf(state.data, Date.now())) : 5_000),
    retry: (count, failure) => count < 2 && !(failure instanceof Problem && failure.status === 404),
  })
  const purchase = query.data
  if (query.error instanceof Problem && query.error.status === 404 && !purchase)
    return <Closed reason="unknown_purchase" alone />
  if (!purchase && query.error)
    return (
      <Step title="We can’t show this right now" lead={sentenceOf(query.error)} takeFocus={false} level={1}>
        <Button size="lg" className="justify-self-start" onClick={() => void query.refetch()}>
          Try again
        </Button>
      </Step>
    )
  const network = networks.find((one) => one.id === purchase?.delivery.network_id) ?? networks[0]
  if (!purchase || !network) return <Opening />
  return (
    <Known
      id={id}
      secret={secret}
      purchase={purchase}
      network={network}
      embedded={embedded}
      stripeKey={stripeKey}
      fromBank={fromBank}
      readAt={query.dataUpdatedAt}
      onNews={query.refetch}
    />
  )
}

type KnownProps = Omit<PurchasePageProps, 'networks'> & {
  secret: string
  purchase: PurchaseView
  network: NetworkFacts
  readAt: number
  onNews: () => Promise<unknown>
}

function Known({ id, secret, purchase, network, embedded, stripeKey, fromBank, readAt, onNews }: KnownProps) {
  const alive = useAlive()
  const now = useNow(readAt)
  const [bankSaid, setBankSaid] = useState(fromBank)
  const quantity = Number(purchase.quantity)
  const total = amountOf(purchase.price, purchase.currency, purchase.currency_decimals)
  const known = sceneOf(purchase, now)

  const isUnpaid = known === 'pay_card' || known === 'pay_wallet' || known === 'closing'

  // What this browser knows before we are told: that the card was charged, or the voucher sent.
  const paidPlace = `vitrine.paid.${id}`
  const paid = useStored(paidPlace)
  const hash = paid?.startsWith('0x') ? paid : null
  const turnedDown = useQuery({
    queryKey: ['turned-down', hash],
    queryFn: () => transactionFailed(network.id, hash!),
    enabled: hash !== null && isUnpaid,
    refetchInterval: 3_000,
  }).data
  const waits = isUnpaid && (hash ? !turnedDown : paid === 'card' || bankSaid === 'succeeded')
  const scene = waits ? 'confirming' : known
  const isDone = purchase.status === 'CONFIRMED'

  useEffect(() => {
    return waits ? quickly(onNews) : undefined
  }, [waits, onNews])
  useEffect(() => {
    if (isDone) tellParent({ type: 'vitrine:completed', listing_id: purchase.listing_id })
  }, [isDone, purchase.listing_id])

  const subject = useQuery({
    queryKey: ['subject', id],
    queryFn: () => readUnits(purchase.units, readPublic),
    staleTime: Infinity,
  }).data
  const title = subject?.title ?? unitsTitle(purchase.units)
  const listingHref = `/l/${purchase.listing_id}${embedded ? '?embed=1' : ''}`

  return (
    <>
      {network.testnet && <TestModeBar />}
      <div className="grid grid-cols-[minmax(0,1fr)] gap-10 lg:grid-cols-[minmax(0,1.1fr)_minmax(0,1fr)] lg:gap-16">
        <div className="lg:sticky lg:top-8 lg:self-start">
          {subject ? (
            <SubjectCase subject={subject} quantity={subject.kind === 'item' ? quantity : 1} />
          ) : (
            <CaseToCome title={title} />
          )}
        </div>
        <section aria-label="Your purchase" className="grid content-start gap-8">
          <p role="status" className="sr-only">
            {alive ? announcements[scene] : ''}
          </p>
          {panel()}
          <PurchaseDetails purchase={purchase} network={network} total={total} sentHash={hash} />
        </section>
      </div>
    </>
  )

  function panel() {
    switch (scene) {
      case 'pay_card':
        return (
          <Step title={`Pay ${total}`} lead={<Kept purchase={purchase} now={now} />} takeFocus={false}>
            {bankSaid === 'failed' && (
              <Alert tone="danger" live>
                Your bank did not confirm that it is you. Nothing was charged. Try once more, or another card.
              </Alert>
            )}
            {card()}
            {givingUp()}
          </Step>
        )
      case 'pay_wallet':
        return (
          <Step title={`Pay ${total}`} lead={<Kept purchase={purchase} now={now} />} takeFocus={false}>
            {turnedDown && (
              <Alert tone="danger" live>
                The network turned it down, so nothing was paid but its fee. You can try once more.
              </Alert>
            )}
            {wallet()}
            {givingUp()}
          </Step>
        )
      case 'confirming':
        return (
          <Step
            title="Thank you. We are looking for your payment"
            lead="This takes a few seconds, and longer when the network is busy. You can close this page and come back."
            takeFocus={alive}
          >
            <PurchaseProgress purchase={purchase} scene={scene} />
            {hash && (
              <Button variant="quiet" className="justify-self-start" onClick={() => write(paidPlace, null)}>
                Nothing is moving? Send it again
              </Button>
            )}
          </Step>
        )
      case 'mailbox':
        return (
          <Step title="It waits in your mailbox" lead={mailboxLead()} takeFocus={alive}>
            <PurchaseProgress purchase={purchase} scene={scene} />
            <p className="flex gap-3 rounded-md bg-well px-4 py-3 text-sm">
              <MailOpen aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-glass" />
              <span>
                Nothing there? Look among the unwanted mail too.{' '}
                {purchase.provider === 'CARD_PROVIDER'
                  ? 'The link in it works for as long as you like.'
                  : 'Open it in the next days: what nobody opens goes back to the others.'}
              </span>
            </p>
          </Step>
        )
      case 'preparing':
      case 'on_its_way':
        return (
          <Step
            title="It’s on its way to you"
            lead="You can close this page. Its link always brings you back here."
            takeFocus={alive}
          >
            <PurchaseProgress purchase={purchase} scene={scene} />
          </Step>
        )
      case 'yours':
        return (
          <Step
            title={`${title} is yours`}
            lead="Nobody can take it back. Keep this page’s link as your proof of purchase."
            takeFocus={alive}
          >
            <PurchaseProgress purchase={purchase} scene={scene} />
            {purchase.eth_address && (
              <LinkButton href={listingHref} className="justify-self-start">
                Back to the listing
              </LinkButton>
            )}
          </Step>
        )
      case 'refunding':
        return (
          <Step
            title="It could not be delivered"
            lead={
              <>
                {purchase.failure ?? 'The network turned it down for good.'} Your money is on its way back: all of it,
                to the card you paid with.
              </>
            }
            takeFocus={alive}
          />
        )
      case 'refunded':
        return (
          <Step
            title="You got your money back"
            lead={
              <>
                {purchase.failure && `${purchase.failure} `}All of it went to the card you paid with. Banks take up to
                ten days to show it.
              </>
            }
            takeFocus={alive}
          >
            {again()}
          </Step>
        )
      case 'unresolved':
        return (
          <Step
            title="A person has to look at this"
            lead={
              <>
                Your payment arrived, but something is in the way{purchase.failure ? <>: {purchase.failure}</> : '.'}{' '}
                The seller has been told, and nothing you paid is lost. This page shows what comes of it.
              </>
            }
            takeFocus={alive}
          />
        )
      case 'closing':
        return (
          <Step
            title="The time to pay is over"
            lead="We are making sure that nothing was charged. This takes a few seconds."
            takeFocus={alive}
          >
            <Spinner label="Making sure" className="text-glass" />
          </Step>
        )
      case 'lapsed':
        return (
          <Step
            title="It went back"
            lead="It waited for a while, and nobody took it out of the mailbox. Nothing was charged."
            takeFocus={alive}
          >
            {again()}
          </Step>
        )
      case 'failed':
        return (
          <Step
            title="It could not be delivered"
            lead={
              <>
                {purchase.failure ?? 'The network turned it down for good.'} Nothing was charged. You can try again,
                with another address if you have one.
              </>
            }
            takeFocus={alive}
          >
            {again()}
          </Step>
        )
      case 'expired':
        return (
          <Step
            title="The time to pay is over"
            lead="It was kept for you for a while and is free again. Nothing was charged; if a payment is still under way, it is returned or counts after all."
            takeFocus={alive}
          >
            {again()}
          </Step>
        )
      case 'given_up':
        return (
          <Step title="You gave this up" lead="Nothing was charged. Somebody else can have it now." takeFocus={alive}>
            {again()}
          </Step>
        )
    }
  }

  function card() {
    const data = cardDataOf(purchase)
    if (!data) return <Spinner label="Preparing the payment" />
    const Form = stripeKey && data.publishable_key === stripeKey ? StripeForm : CardForm
    return (
      <Form
        key={data.client_secret}
        data={data}
        total={total}
        embedded={embedded}
        returnUrl={`${location.origin}/p/${id}`}
        onPaid={() => {
          setBankSaid(null)
          write(paidPlace, 'card')
        }}
      />
    )
  }

  function wallet() {
    const entry = voucherOf(purchase)
    if (!entry) return <Spinner label="Preparing the payment" />
    return (
      <PayVoucher
        entry={entry}
        network={network}
        total={total}
        currency={purchase.currency}
        onSent={(sent) => write(paidPlace, sent)}
      />
    )
  }

  function givingUp() {
    return (
      <ConfirmDialog
        trigger={
          <Button variant="quiet" className="justify-self-start">
            I don’t want it any more
          </Button>
        }
        title="Give it up?"
        description={
          purchase.provider === 'MINT_VOUCHER'
            ? 'It goes back to the others once your offer has run out. Don’t pay any more after this.'
            : 'It goes back to the others at once. Nothing is charged.'
        }
        confirm="Give it up"
        tone="danger"
        onConfirm={async () => {
          try {
            await giveUp(id, secret)
          } catch (failure) {
            if (!(failure instanceof Problem && failure.status === 409)) return sentenceOf(failure)
          }
          await onNews()
        }}
      />
    )
  }

  function again() {
    return (
      <LinkButton href={listingHref} size="lg" className="justify-self-start">
        Back to the listing
      </LinkButton>
    )
  }

  function mailboxLead() {
    const to = purchase.email_hint ?? 'your mailbox'
    const paid = purchase.provider === 'CARD_PROVIDER' ? 'Paid. ' : ''
    if (purchase.units.length > 1)
      return `${paid}We sent a link for each of them to ${to}: open them, and choose where they should live.`
    return `${paid}We sent a link to ${to}: open it, and choose where ${title} should live.`
  }
}

/** Until when it is kept. */
function Kept({ purchase, now }: { purchase: PurchaseView; now: number }) {
  return (
    <>
      Kept for you for <Countdown to={purchase.expires_at} now={now} />.
    </>
  )
}

const QUICK_MS = 1_500

/** Asks again and again, from now until told to stop. */
function quickly(ask: () => Promise<unknown>): () => void {
  const timer = setInterval(() => void ask(), QUICK_MS)
  return () => clearInterval(timer)
}

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
} satisfies Record<Scene, string>
