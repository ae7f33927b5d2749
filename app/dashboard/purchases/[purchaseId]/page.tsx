import type { Metadata } from 'next'
import { Undo2 } from 'lucide-react'
import { ChainLink } from '@/components/ui/chain-link'
import { ConfirmAction } from '@/components/dashboard/forms/confirm-action'
import { ModeBar } from '@/components/dashboard/shell/mode-bar'
import { PurchaseBadge, isUnderWay } from '@/components/dashboard/purchases/purchase-badge'
import { PurchaseBuyer } from '@/components/dashboard/purchases/purchase-buyer'
import { Refresh } from '@/components/dashboard/shell/refresh'
import { DELIVERIES, DELIVERY_METHODS, whyUnresolved } from '@/components/dashboard/listings/selling-labels'
import { Steps } from '@/components/dashboard/forms/steps'
import { PaymentCard } from '@/components/dashboard/purchases/payment-card'
import { PurchaseDecision } from '@/components/dashboard/purchases/purchase-decision'
import { purchaseStepsOf } from '@/components/dashboard/purchases/purchase-steps'
import { PurchaseTimeline } from '@/components/dashboard/purchases/purchase-timeline'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { CopyButton } from '@/components/ui/copy-button'
import { Fact, Facts } from '@/components/ui/facts'
import { PageHeader } from '@/components/ui/page-header'
import { ItemPicture } from '@/components/ui/picture'
import { TextLink } from '@/components/ui/text-link'
import { may } from '@/lib/platform/auth/context'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { amountOf } from '@/lib/core/money'
import { orNotFound } from '@/lib/platform/http/or-not-found'
import { getItem } from '@/lib/catalog/items/get-item'
import { getPurchase } from '@/lib/selling/purchases/get-purchase'
import { refundPurchaseAction, resolvePurchaseAction } from '../actions'

export const metadata: Metadata = { title: 'Purchase' }

export default async function PurchasePage({ params }: PageProps<'/dashboard/purchases/[purchaseId]'>) {
  const { purchaseId } = await params
  const ctx = await dashboardContext()
  const purchase = await orNotFound(purchaseId, (id) => getPurchase(ctx, id))
  const [first] = purchase.units
  const item = first && (await getItem(ctx, first.item_id))
  const amount =
    purchase.price === '0' ? 'Free' : amountOf(purchase.price, purchase.currency, purchase.currency_decimals)
  const left = amountOf(
    String(BigInt(purchase.price) - BigInt(purchase.payment?.refunded ?? 0)),
    purchase.currency,
    purchase.currency_decimals,
  )
  const mayRefund = may(ctx, 'purchase_intents:write')
  return (
    <>
      {(isUnderWay(purchase) || purchase.payment?.state === 'REFUNDING') && <Refresh everySeconds={3} />}
      <PageHeader
        back={{ href: '/dashboard/purchases', label: 'Purchases' }}
        title={<PurchaseBuyer purchase={purchase} />}
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
              title={`Refund ${left}?`}
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
        <Alert tone="warning" title="Your decision is needed.">
          {whyUnresolved(purchase)} Look at the payment at the card provider, and write to the buyer.
          {mayRefund && (
            <PurchaseDecision
              purchase={purchase}
              actionOf={(outcome) => resolvePurchaseAction.bind(null, purchase.id, outcome)}
            />
          )}
        </Alert>
      )}
      {purchase.status !== 'UNRESOLVED' && purchase.failure && (
        <Alert tone={purchase.status === 'REFUNDED' ? 'info' : 'danger'}>{purchase.failure}</Alert>
      )}
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_18rem]">
        <div className="grid gap-6">
          <Card title="What happened">
            <Steps label="Progress" steps={purchaseStepsOf(purchase)} />
          </Card>
          <PaymentCard purchase={purchase} amount={amount} />
          <Card title="Delivery">
            <Facts>
              <Fact name="How">{DELIVERY_METHODS[purchase.fulfillment_method]}</Fact>
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
          <PurchaseTimeline timeline={purchase.timeline} />
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

/** The explorer's base URL from a transaction's page; ChainLink appends the path itself. */
const explorerOf = (page: string | null): string | null => (page ? (page.split('/tx/')[0] ?? null) : null)
