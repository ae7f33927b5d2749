import { getLocale, getTranslations } from 'next-intl/server'
import { Undo2 } from 'lucide-react'
import { titled } from '@/app/language/titled'
import { ChainLink } from '@/components/ui/chain-link'
import { ConfirmAction } from '@/components/dashboard/forms/confirm-action'
import { ModeBar } from '@/components/dashboard/shell/mode-bar'
import { PurchaseBadge, isUnderWay } from '@/components/dashboard/purchases/purchase-badge'
import { PurchaseBuyer } from '@/components/dashboard/purchases/purchase-buyer'
import { Refresh } from '@/components/dashboard/shell/refresh'
import { Steps } from '@/components/dashboard/forms/steps'
import { PaymentCard } from '@/components/dashboard/purchases/payment-card'
import { PurchaseDecision } from '@/components/dashboard/purchases/purchase-decision'
import { deliveryStateOf, purchaseStepsOf } from '@/components/dashboard/purchases/purchase-steps'
import { whyUnresolved } from '@/components/dashboard/purchases/why-unresolved'
import { PurchaseTimeline } from '@/components/dashboard/purchases/purchase-timeline'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { CopyButton } from '@/components/ui/copy-button'
import { Fact, Facts } from '@/components/ui/facts'
import { PageHeader } from '@/components/ui/page-header'
import { ItemPicture } from '@/components/ui/picture'
import { TextLink } from '@/components/ui/text-link'
import { shownEmail } from '@/lib/core/shown-email'
import { may } from '@/lib/platform/auth/context'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { amountOf } from '@/lib/core/money'
import { orNotFound } from '@/lib/platform/http/or-not-found'
import { getItem } from '@/lib/catalog/items/get-item'
import { getPurchase } from '@/lib/selling/purchases/get-purchase'
import { refundPurchaseAction, resolvePurchaseAction } from '../actions'

export const generateMetadata = titled('dashboard.purchases', 'one.title')

export default async function PurchasePage({ params }: PageProps<'/dashboard/purchases/[purchaseId]'>) {
  const { purchaseId } = await params
  const [ctx, t, locale] = await Promise.all([dashboardContext(), getTranslations('dashboard.purchases'), getLocale()])
  const purchase = await orNotFound(purchaseId, (id) => getPurchase(ctx, id))
  const [first] = purchase.units
  const item = first && (await getItem(ctx, first.item_id))
  const isFree = purchase.price === '0'
  const amountIn = (minor: string) => amountOf(minor, purchase.currency, purchase.currency_decimals, locale)
  const left = amountIn(String(BigInt(purchase.price) - BigInt(purchase.payment?.refunded ?? 0)))
  const mayRefund = may(ctx, 'purchase_intents:write')
  return (
    <>
      <Refresh everySeconds={(isUnderWay(purchase) || purchase.payment?.state === 'REFUNDING') && 3} />
      <PageHeader
        back={{ href: '/dashboard/purchases', label: t('title') }}
        title={<PurchaseBuyer purchase={purchase} />}
        badge={<PurchaseBadge purchase={purchase} />}
        description={t('one.what', {
          count: Number(purchase.quantity),
          title: first?.title ?? t('one.untitled'),
          more: Math.max(0, purchase.units.length - 1),
          amount: isFree ? t('one.free') : amountIn(purchase.price),
        })}
        actions={
          mayRefund &&
          purchase.refundable && (
            <ConfirmAction
              action={refundPurchaseAction.bind(null, purchase.id)}
              trigger={
                <Button variant="danger" icon={<Undo2 aria-hidden="true" className="size-4" />}>
                  {t('one.refund')}
                </Button>
              }
              title={t('one.refundTitle', { amount: left })}
              description={
                purchase.fulfillment_status === 'COMPLETED' ? t('one.refundDelivered') : t('one.refundUndelivered')
              }
              confirm={t('one.refundConfirm')}
              type={t('one.refundWord')}
            />
          )
        }
      />
      <ModeBar mode={purchase.mode} />
      {purchase.status === 'UNRESOLVED' && (
        <Alert tone="warning" title={t('one.decideTitle')}>
          <p>{`${whyUnresolved(purchase) ?? t('unresolved')} ${t('one.decide')}`}</p>
          {mayRefund && (
            <PurchaseDecision
              purchase={purchase}
              actionOf={(outcome) => resolvePurchaseAction.bind(null, purchase.id, outcome)}
            />
          )}
        </Alert>
      )}
      {purchase.status !== 'UNRESOLVED' && purchase.failure && (
        <Alert tone={purchase.status === 'REFUNDED' ? 'info' : 'danger'}>
          <span lang="en">{purchase.failure}</span>
        </Alert>
      )}
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_18rem]">
        <div className="grid gap-6">
          <Card title={t('one.happened')}>
            <Steps label={t('one.progress')} steps={purchaseStepsOf(purchase, t)} />
          </Card>
          <PaymentCard purchase={purchase} amount={isFree ? t('free') : amountIn(purchase.price)} />
          <Card title={t('one.delivery')}>
            <Facts>
              <Fact name={t('one.how')}>{t(`methods.${purchase.fulfillment_method}`)}</Fact>
              <Fact name={t('one.state')}>{t(`deliveries.${deliveryStateOf(purchase)}`)}</Fact>
              {purchase.eth_address && (
                <Fact name={t('one.address')}>
                  <ChainLink value={purchase.eth_address} kind="address" explorerUrl={null} />
                </Fact>
              )}
              {purchase.email && <Fact name={t('one.email')}>{shownEmail(purchase.email)}</Fact>}
              {purchase.units.map((unit) => (
                <Fact
                  key={unit.item_id}
                  name={<TextLink href={`/dashboard/items/${unit.item_id}`}>{unit.title}</TextLink>}
                >
                  <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
                    <span className="figures">{`#${unit.token_id}`}</span>
                    {unit.quantity > 1n && <span>{t('one.units', { count: Number(unit.quantity) })}</span>}
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
                <Fact key={id} name={t('one.sentBy')}>
                  <TextLink href={`/dashboard/claims/${id}`}>{t('one.claim')}</TextLink>
                </Fact>
              ))}
              {purchase.mint_request_ids.map((id) => (
                <Fact key={id} name={t('one.mintedBy')}>
                  <TextLink href={`/dashboard/mint-requests/${id}`}>{t('one.mintRequest')}</TextLink>
                </Fact>
              ))}
            </Facts>
          </Card>
          <Card title={t('one.details')}>
            <Facts>
              <Fact name={t('one.listing')}>
                <TextLink href={`/dashboard/listings/${purchase.listing_id}`}>{t('one.show')}</TextLink>
              </Fact>
              <Fact name={t('one.id')}>
                <span className="flex items-center gap-1">
                  <span className="figures break-all">{purchase.id}</span>
                  <CopyButton text={purchase.id} label={t('one.copyId')} />
                </span>
              </Fact>
              {purchase.origin && <Fact name={t('one.cameFrom')}>{purchase.origin}</Fact>}
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
