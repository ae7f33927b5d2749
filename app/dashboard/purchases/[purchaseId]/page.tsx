import type { Metadata } from 'next'
import { Undo2 } from 'lucide-react'
import { ChainLink } from '@/components/dashboard/items/chain-link'
import { ConfirmAction } from '@/components/dashboard/forms/confirm-action'
import { ModeBar } from '@/components/dashboard/shell/mode-bar'
import { PurchaseBadge, isUnderWay } from '@/components/dashboard/listings/purchase-badge'
import { Refresh } from '@/components/dashboard/shell/refresh'
import {
  DELIVERIES,
  DELIVERY_WAYS,
  PURCHASE_STATES,
  WAYS,
  whyUnresolved,
} from '@/components/dashboard/listings/selling-words'
import { type Step, Steps } from '@/components/dashboard/forms/steps'
import { Address } from '@/components/ui/address'
import { Alert } from '@/components/ui/alert'
import { StateBadge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { CopyButton } from '@/components/ui/copy-button'
import { Fact, Facts } from '@/components/ui/facts'
import { PageHeader } from '@/components/ui/page-header'
import { ItemPicture } from '@/components/ui/picture'
import { TextLink } from '@/components/ui/text-link'
import { Time } from '@/components/ui/time'
import { may } from '@/lib/platform/auth/context'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { amountOf } from '@/lib/core/money'
import { orNotFound } from '@/lib/platform/http/or-not-found'
import { getItem } from '@/lib/catalog/items/get-item'
import { getPurchase } from '@/lib/selling/purchases/get-purchase'
import { refundPurchaseAction } from '../actions'

export const metadata: Metadata = { title: 'Purchase' }

type Purchase = Awaited<ReturnType<typeof getPurchase>>

const PAYMENT_STATES = {
  CREATING: 'Being made',
  OPEN: 'Not paid yet',
  CANCELLING: 'Being cancelled',
  CANCELLED: 'Cancelled, nothing was charged',
  SUCCEEDED: 'Paid',
  REFUNDING: 'Being refunded',
  REFUNDED: 'Refunded',
  DISPUTED: 'Disputed by the buyer’s bank',
} satisfies Record<NonNullable<Purchase['payment']>['state'], string>

export default async function PurchasePage({ params }: PageProps<'/dashboard/purchases/[purchaseId]'>) {
  const { purchaseId } = await params
  const ctx = await dashboardContext()
  const purchase = await orNotFound(purchaseId, (id) => getPurchase(ctx, id))
  const [first] = purchase.units
  const item = first && (await getItem(ctx, first.item_id))
  const amount =
    purchase.price === '0' ? 'Free' : amountOf(purchase.price, purchase.currency, purchase.currency_decimals)
  const { payment } = purchase
  const mayRefund = may(ctx, 'purchase_intents:write')
  return (
    <>
      {(isUnderWay(purchase) || payment?.state === 'REFUNDING') && <Refresh everySeconds={3} />}
      <PageHeader
        back={{ href: '/dashboard/purchases', label: 'Purchases' }}
        title={
          purchase.email ? (
            <span className="break-all">{purchase.email}</span>
          ) : (
            <Address value={purchase.eth_address ?? ''} copy={false} />
          )
        }
        badge={<PurchaseBadge purchase={purchase} />}
        description={
          <>
            {purchase.quantity > 1n && `${purchase.quantity} units of `}“{first?.title ?? 'Untitled'}”
            {purchase.units.length > 1 && ` and ${purchase.units.length - 1} more`},{' '}
            {amount === 'Free' ? 'free' : amount}
          </>
        }
        actions={
          mayRefund &&
          purchase.refundable && (
            <ConfirmAction
              action={refundPurchaseAction.bind(null, purchase.id)}
              trigger={
                <Button variant="danger" icon={<Undo2 aria-hidden="true" className="size-4" />}>
                  Refund
                </Button>
              }
              title={`Refund ${amount}?`}
              description={
                purchase.fulfillment_status === 'COMPLETED'
                  ? 'All of it goes back to the buyer’s card. The item was delivered and stays with the buyer.'
                  : 'All of it goes back to the buyer’s card. What wasn’t delivered yet is taken back and can be sold again. It can’t be undone.'
              }
              confirm="Refund it"
              type="refund"
            />
          )
        }
      />
      <ModeBar mode={purchase.mode} />
      {purchase.status === 'UNRESOLVED' && (
        <Alert tone="warning" title="This needs you.">
          {whyUnresolved(purchase)} Look at the payment at the card provider, and write to the buyer.
        </Alert>
      )}
      {purchase.status !== 'UNRESOLVED' && purchase.failure && (
        <Alert tone={purchase.status === 'REFUNDED' ? 'info' : 'danger'}>{purchase.failure}</Alert>
      )}
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_18rem]">
        <div className="grid gap-6">
          <Card title="What happened">
            <Steps label="Progress" steps={stepsOf(purchase)} />
          </Card>
          <Card title="Payment">
            <Facts>
              <Fact name="How">{WAYS[purchase.provider]}</Fact>
              <Fact name="Price">{amount}</Fact>
              {payment && (
                <>
                  <Fact name="State">
                    <StateBadge
                      state={payment.state}
                      label={PAYMENT_STATES[payment.state]}
                      tone={toneOf(payment.state)}
                    />
                  </Fact>
                  {payment.fee !== '0' && (
                    <Fact name="Platform’s share">
                      {amountOf(payment.fee, payment.currency, purchase.currency_decimals)}
                    </Fact>
                  )}
                  {payment.provider_payment_id && (
                    <Fact name="At the card provider">
                      <span className="flex items-center gap-1">
                        <span className="figures break-all">{payment.provider_payment_id}</span>
                        <CopyButton text={payment.provider_payment_id} label="Copy the payment’s id" />
                      </span>
                    </Fact>
                  )}
                  {payment.failure && <Fact name="Last answer">{payment.failure}</Fact>}
                  {payment.refunded_at && (
                    <Fact name="Refunded">
                      <Time at={payment.refunded_at} />
                    </Fact>
                  )}
                </>
              )}
            </Facts>
            {!purchase.refundable && <p className="mt-3 border-t pt-3 text-sm text-muted">{whyNoRefund(purchase)}</p>}
          </Card>
          <Card title="Delivery">
            <Facts>
              <Fact name="How">{DELIVERY_WAYS[purchase.fulfillment_method]}</Fact>
              <Fact name="State">{DELIVERIES[purchase.fulfillment_status]}</Fact>
              {purchase.eth_address && (
                <Fact name="Address">
                  <ChainLink value={purchase.eth_address} kind="address" explorerUrl={null} />
                </Fact>
              )}
              {purchase.email && <Fact name="Email">{purchase.email}</Fact>}
              {purchase.units.map((unit) => (
                <Fact
                  key={unit.item_id}
                  name={<TextLink href={`/dashboard/items/${unit.item_id}`}>{unit.title}</TextLink>}
                >
                  <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
                    <span className="figures">#{unit.token_id}</span>
                    {unit.quantity > 1n && <span>{unit.quantity.toString()} units</span>}
                    {unit.delivery.tx_hash && (
                      <ChainLink
                        value={unit.delivery.tx_hash}
                        kind="tx"
                        explorerUrl={explorerOf(unit.delivery.explorer_url)}
                      />
                    )}
                  </span>
                </Fact>
              ))}
              {purchase.email_claim_ids.map((id) => (
                <Fact key={id} name="Sent by">
                  <TextLink href={`/dashboard/claims/${id}`}>Email claim</TextLink>
                </Fact>
              ))}
              {purchase.mint_request_ids.map((id) => (
                <Fact key={id} name="Minted by">
                  <TextLink href={`/dashboard/mint-requests/${id}`}>Mint request</TextLink>
                </Fact>
              ))}
            </Facts>
          </Card>
          <Card title="Details">
            <Facts>
              <Fact name="Listing">
                <TextLink href={`/dashboard/listings/${purchase.listing_id}`}>Show</TextLink>
              </Fact>
              <Fact name="Id">
                <span className="flex items-center gap-1">
                  <span className="figures break-all">{purchase.id}</span>
                  <CopyButton text={purchase.id} label="Copy the purchase’s id" />
                </span>
              </Fact>
              {purchase.origin && <Fact name="Came from">{purchase.origin}</Fact>}
            </Facts>
          </Card>
          {purchase.timeline.length > 0 && (
            <Card title="Step by step">
              <ol className="divide-y text-sm">
                {purchase.timeline.map(({ at, status, fulfillment_status: fulfillment, detail }, index) => (
                  <li key={index} className="flex flex-wrap justify-between gap-x-6 gap-y-1 py-2.5">
                    <span>
                      {PURCHASE_STATES[status]}
                      {fulfillment !== 'PENDING' && `, ${DELIVERIES[fulfillment].toLowerCase()}`}
                      {detail && <span className="block text-muted">{detail}</span>}
                    </span>
                    <span className="text-muted">
                      <Time at={at} />
                    </span>
                  </li>
                ))}
              </ol>
            </Card>
          )}
        </div>
        {item && (
          <figure className="overflow-hidden rounded-lg border bg-pane shadow-lift max-lg:order-first max-lg:max-w-48">
            <ItemPicture item={item} size="thumb" className="w-full" />
            <figcaption className="p-4 text-sm">
              <TextLink href={`/dashboard/items/${item.id}`} className="font-medium wrap-anywhere">
                {first.title}
              </TextLink>
            </figcaption>
          </figure>
        )}
      </div>
    </>
  )
}

const toneOf = (state: string) =>
  state === 'SUCCEEDED'
    ? 'positive'
    : state === 'DISPUTED'
      ? 'danger'
      : state === 'REFUNDING' || state === 'OPEN'
        ? 'info'
        : 'neutral'

/** The explorer of a transaction's page: ChainLink puts the page together itself. */
const explorerOf = (page: string | null): string | null => (page ? (page.split('/tx/')[0] ?? null) : null)

function whyNoRefund({ provider, status, payment, fulfillment_status: fulfillment }: Purchase): string {
  if (provider === 'MINT_VOUCHER')
    return 'It can’t be refunded from here: the buyer’s wallet pays your payout address directly, in the transaction that mints the item.'
  if (provider !== 'CARD_PROVIDER') return 'It was free: there is nothing to refund.'
  if (payment?.state === 'REFUNDED' || status === 'REFUNDED') return 'All of it was refunded.'
  if (payment?.state === 'REFUNDING') return 'The refund is under way.'
  if (payment?.state === 'DISPUTED')
    return 'The buyer’s bank disputes the payment: the money is decided there, and answered at the card provider.'
  if (payment?.state !== 'SUCCEEDED') return 'Nothing was paid: there is nothing to refund.'
  if (fulfillment !== 'COMPLETED')
    return 'It is on its way on the chain right now. Once the chain has decided, it can be refunded.'
  return 'It can’t be refunded now.'
}

function stepsOf(purchase: Purchase): Step[] {
  const {
    status,
    fulfillment_status: fulfillment,
    confirmed_at: paid,
    completed_at: done,
    payment,
    delivery,
  } = purchase
  const free = purchase.price === '0'
  const confirmed = paid !== null || status === 'CONFIRMED' || status === 'UNRESOLVED' || status === 'REFUNDED'
  const over = status === 'EXPIRED' || status === 'CANCELLED'
  const steps: Step[] = [{ name: 'Begun', state: 'done', at: purchase.created_at, note: 'The units were set aside.' }]
  if (!confirmed && over)
    return [
      ...steps,
      {
        name: status === 'EXPIRED' ? 'Ran out' : 'Given up',
        state: 'failed',
        at: status === 'EXPIRED' ? purchase.expires_at : null,
        note: 'It was not paid. The units are free again.',
      },
    ]
  steps.push(
    confirmed
      ? { name: free ? 'Ordered' : 'Paid', state: 'done', at: paid }
      : {
          name: 'Paid',
          state: 'now',
          note: (
            <>
              The units are kept until <Time at={purchase.expires_at} />.
            </>
          ),
        },
  )
  const refunded = status === 'REFUNDED' || payment?.state === 'REFUNDING' || payment?.state === 'REFUNDED'
  if (fulfillment === 'COMPLETED') steps.push({ name: 'Delivered', state: 'done', at: done })
  else if (fulfillment === 'EXCEPTION' || status === 'UNRESOLVED')
    steps.push({ name: 'Not delivered', state: 'failed', note: delivery.failure ?? purchase.failure })
  else if (over)
    steps.push({ name: 'Taken back', state: 'failed', note: 'Nobody came for it. The units are free again.' })
  else if (!refunded)
    steps.push({
      name: 'Delivered',
      state: confirmed ? 'now' : 'todo',
      note: confirmed ? WAITS[purchase.fulfillment_method] : null,
    })
  if (refunded)
    steps.push({ name: 'Refunded', state: status === 'REFUNDED' ? 'done' : 'now', at: payment?.refunded_at ?? null })
  else if (status === 'UNRESOLVED')
    steps.push({
      name: payment?.state === 'DISPUTED' ? 'Disputed' : 'Not refunded',
      state: 'failed',
      note: whyUnresolved(purchase),
    })
  return steps
}

const WAITS = {
  EMAIL: 'It waits for the recipient, who has a link by email.',
  TRANSFER: 'It is on its way to the buyer’s address.',
  VOUCHER: 'The buyer’s own transaction mints it.',
} satisfies Record<Purchase['fulfillment_method'], string>
