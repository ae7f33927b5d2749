import { getFormatter, getLocale, getTranslations } from 'next-intl/server'
import { ExternalLink, Pause, Pencil, Play } from 'lucide-react'
import { titled } from '@/app/language/titled'
import { ConfirmAction } from '@/components/dashboard/forms/confirm-action'
import { Findings } from '@/components/dashboard/listings/findings'
import { Holds } from '@/components/dashboard/items/holds'
import { hrefOf } from '@/components/dashboard/lists/href'
import { ListingBadge } from '@/components/dashboard/listings/listing-badge'
import { ModeBar } from '@/components/dashboard/shell/mode-bar'
import { PurchaseBadge } from '@/components/dashboard/purchases/purchase-badge'
import { PurchaseBuyer } from '@/components/dashboard/purchases/purchase-buyer'
import { Refresh } from '@/components/dashboard/shell/refresh'
import { StockBar, UnitsBar } from '@/components/dashboard/items/stock-bar'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { LinkButton } from '@/components/ui/link-button'
import { Card } from '@/components/ui/card'
import { CopyButton } from '@/components/ui/copy-button'
import { Fact, Facts } from '@/components/ui/facts'
import { PageHeader } from '@/components/ui/page-header'
import { ItemPicture } from '@/components/ui/picture'
import { TextLink } from '@/components/ui/text-link'
import { RelativeTime } from '@/components/ui/relative-time'
import { Time } from '@/components/ui/time'
import { may } from '@/lib/platform/auth/context'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { amountOf } from '@/lib/core/money'
import { orNotFound } from '@/lib/platform/http/or-not-found'
import { listItemHolds } from '@/lib/catalog/items/list-item-holds'
import { countAllowances } from '@/lib/offers/listings/count-allowances'
import { getListing } from '@/lib/offers/listings/get-listing'
import { networkFacts } from '@/lib/offers/networks/network-facts'
import { getOrganization } from '@/lib/organizations/get-organization'
import { listPurchases } from '@/lib/selling/purchases/list-purchases'
import { getSnapshot } from '@/lib/data/snapshots/get-snapshot'
import { cancelListingAction, moveListingAction } from '../actions'
import { subjectOf } from '../listing-subject'

export const generateMetadata = titled('dashboard.listings', 'one')

const isOver = (status: string): status is 'COMPLETE' | 'CANCELLED' | 'EXPIRED' =>
  ['COMPLETE', 'CANCELLED', 'EXPIRED'].includes(status)

export default async function ListingPage({ params }: PageProps<'/dashboard/listings/[listingId]'>) {
  const { listingId } = await params
  const [ctx, t, format, locale] = await Promise.all([
    dashboardContext(),
    getTranslations('dashboard.listings'),
    getFormatter(),
    getLocale(),
  ])
  const listing = await orNotFound(listingId, (id) => getListing(ctx, id))
  const [subject, holds, purchases, organization, allowed, snapshot] = await Promise.all([
    subjectOf(ctx, listing),
    listing.item_id ? listItemHolds(ctx, listing.item_id, { limit: 20 }) : null,
    listPurchases(ctx, { listing_id: listing.id, limit: 6 }),
    getOrganization(ctx),
    listing.policy_type === 'ALLOW_LIST' ? countAllowances(ctx, listing.id) : null,
    listing.policy.snapshot_id ? getSnapshot(ctx, listing.policy.snapshot_id) : null,
  ])
  const network = networkFacts(ctx).find(({ id }) => id === listing.network_id)
  const here = `/dashboard/listings/${listing.id}`
  const isFree = listing.price === '0'
  const price = isFree ? t('free') : amountOf(listing.price, listing.currency, listing.price_currency_decimals, locale)
  const over = isOver(listing.status) && t(`page.over.${listing.status}`)
  const draft = listing.status === 'DRAFT'
  const mayWrite = may(ctx, 'listings:write') && !over
  const frame =
    `<iframe src="${listing.checkout_url}?embed=1" title="${escaped(subject.title)}" width="100%" ` +
    'height="720" style="border:0" allow="publickey-credentials-get; clipboard-write"></iframe>'
  return (
    <>
      <Refresh everySeconds={(listing.status === 'ACTIVE' || listing.status === 'SCHEDULED') && 5} />
      <PageHeader
        back={{ href: '/dashboard/listings', label: t('title') }}
        title={subject.title}
        badge={<ListingBadge listing={listing} />}
        description={t(subject.whole ? 'page.wholeLead' : 'page.lead', {
          collection: subject.collectionName,
          price: isFree ? t('page.freeInLead') : price,
        })}
        actions={
          <>
            {!draft && (
              <LinkButton
                href={new URL(listing.checkout_url).pathname}
                target="_blank"
                icon={<ExternalLink aria-hidden="true" className="size-4" />}
              >
                <span>{t('page.checkout')}</span>
                <span className="sr-only">{t('page.newTab')}</span>
              </LinkButton>
            )}
            {mayWrite && (
              <LinkButton href={`${here}/edit`} icon={<Pencil aria-hidden="true" className="size-4" />}>
                {t('page.edit')}
              </LinkButton>
            )}
            {mayWrite && (listing.status === 'ACTIVE' || listing.status === 'SCHEDULED') && (
              <ConfirmAction
                action={moveListingAction.bind(null, listing.id, 'PAUSED')}
                undo={moveListingAction.bind(null, listing.id, 'ACTIVE')}
                trigger={<Button icon={<Pause aria-hidden="true" className="size-4" />}>{t('pause.action')}</Button>}
                title={t('pause.one')}
                description={t('pause.oneText')}
                confirm={t('pause.oneYes')}
                tone="primary"
              />
            )}
            {mayWrite && (listing.status === 'PAUSED' || draft) && (
              <ConfirmAction
                action={moveListingAction.bind(null, listing.id, 'ACTIVE')}
                {...(!draft && { undo: moveListingAction.bind(null, listing.id, 'PAUSED') })}
                trigger={
                  <Button variant="primary" icon={<Play aria-hidden="true" className="size-4" />}>
                    {draft ? t('publish.action') : t('resume.action')}
                  </Button>
                }
                title={draft ? t('publish.ask') : t('resume.one')}
                description={t('resume.oneText')}
                confirm={draft ? t('publish.yes') : t('resume.oneYes')}
                tone="primary"
              />
            )}
            {mayWrite && (
              <ConfirmAction
                action={cancelListingAction.bind(null, listing.id, draft)}
                trigger={<Button variant="danger">{draft ? t('cancelling.delete') : t('cancelling.cancel')}</Button>}
                title={draft ? t('cancelling.deleteAsk') : t('cancelling.cancelAsk')}
                description={draft ? t('cancelling.deleteText') : t('cancelling.cancelText')}
                confirm={draft ? t('cancelling.deleteYes') : t('cancelling.cancelYes')}
                {...(!draft && { type: subject.title })}
              />
            )}
          </>
        }
      />
      <ModeBar mode={listing.mode} />
      {over ? (
        <Alert tone={listing.status === 'COMPLETE' ? 'positive' : 'info'}>{over}</Alert>
      ) : (
        <Findings findings={listing.preflight} />
      )}
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_18rem]">
        <div className="grid gap-6">
          <Card title={t('page.sales')}>
            <UnitsBar
              parts={[
                { name: t('columns.sold'), units: listing.quantity_confirmed },
                { name: t('page.inCheckout'), units: listing.quantity_open },
                { name: t('page.left'), units: listing.quantity_remaining },
              ]}
            />
          </Card>
          {purchases.total_results > 0 && (
            <Card
              flush
              title={t('page.latest')}
              actions={
                <TextLink href={hrefOf('/dashboard/purchases', { listing_id: listing.id })}>
                  {t('page.allPurchases', { count: format.number(purchases.total_results) })}
                </TextLink>
              }
            >
              <ul className="divide-y">
                {purchases.results.map((purchase) => (
                  <li
                    key={purchase.id}
                    className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 px-5 py-3 sm:px-6"
                  >
                    <TextLink href={`/dashboard/purchases/${purchase.id}`} className="break-all">
                      <PurchaseBuyer purchase={purchase} className="underline decoration-glass/45 underline-offset-3" />
                    </TextLink>
                    <span className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-muted">
                      {purchase.quantity > 1n && <span>{t('page.units', { count: Number(purchase.quantity) })}</span>}
                      <RelativeTime at={purchase.created_at} />
                      <PurchaseBadge purchase={purchase} />
                    </span>
                  </li>
                ))}
              </ul>
            </Card>
          )}
          {holds && (
            <Card title={t('page.unitsOfItem')} description={t('page.unitsText')}>
              <div className="grid gap-4">
                <StockBar minted={holds.minted} inCustody={holds.kept} held={holds.held} free={holds.free} />
                <Holds holds={holds.results} here={listing.id} />
              </div>
            </Card>
          )}
          <Card title={t('page.terms')}>
            <Facts>
              <Fact name={t('page.priceOfOne')}>{price}</Fact>
              <Fact name={t('page.delivery')}>
                {format.list(
                  listing.payment_providers.map((provider) => t(`providers.${provider}`)),
                  { type: 'unit', style: 'short' },
                )}
              </Fact>
              <Fact name={t('page.network')}>{network?.name ?? listing.network_id}</Fact>
              <Fact name={t('page.whoMayBuy')}>
                {allowed !== null ? (
                  <TextLink href={`${here}/allow-list`}>
                    {`${t('policies.ALLOW_LIST')} (${format.number(allowed)})`}
                  </TextLink>
                ) : snapshot ? (
                  <TextLink href="/dashboard/snapshots">{t('page.holdersIn', { name: snapshot.name })}</TextLink>
                ) : (
                  t(`policies.${listing.policy_type}`)
                )}
              </Fact>
              <Fact name={t('page.perPurchase')}>
                {t('page.atMost', { count: format.number(listing.max_quantity_per_tx) })}
              </Fact>
              <Fact name={t('page.forOneBuyer')}>
                {listing.max_per_user === null
                  ? t('page.noLimit')
                  : t('page.atMost', { count: format.number(listing.max_per_user) })}
              </Fact>
              <Fact name={t('page.starts')}>
                {listing.start_time ? <Time at={listing.start_time} /> : t('page.atOnce')}
              </Fact>
              <Fact name={t('columns.ends')}>
                {listing.end_time ? <Time at={listing.end_time} /> : t('page.whenSold')}
              </Fact>
              {listing.proof_of_work && <Fact name={t('page.botProtection')}>{t('page.always')}</Fact>}
              <Fact name={t('page.made')}>
                <Time at={listing.created_at} />
              </Fact>
            </Facts>
          </Card>
          {!draft && (
            <Card title={t('page.share')}>
              <div className="grid gap-5">
                <div className="flex flex-wrap items-center justify-between gap-2 rounded-md bg-well px-4 py-3">
                  <code className="figures min-w-0 break-all">{listing.checkout_url}</code>
                  <CopyButton text={listing.checkout_url} label={t('page.copyLink')} showLabel />
                </div>
                <div className="grid gap-2">
                  <div className="flex flex-wrap items-center justify-between gap-2">
                    <h3 className="text-sm font-medium">{t('page.onWebsite')}</h3>
                    <CopyButton text={frame} label={t('page.copySnippet')} showLabel />
                  </div>
                  <pre className="figures rounded-md bg-well px-4 py-3 text-sm break-all whitespace-pre-wrap">
                    {frame}
                  </pre>
                  <p className="text-sm text-muted">
                    <span>
                      {organization.embed_origins.length === 0
                        ? t('page.noSites')
                        : t('page.sites', {
                            sites: format.list(organization.embed_origins, { type: 'unit', style: 'short' }),
                          })}
                    </span>{' '}
                    <TextLink href="/dashboard/settings#embedding">{t('page.chooseSites')}</TextLink>
                  </p>
                </div>
              </div>
            </Card>
          )}
        </div>
        <figure className="overflow-hidden rounded-lg border bg-pane shadow-lift max-lg:order-first max-lg:max-w-48">
          <ItemPicture item={subject.picture} size="thumb" className="w-full" />
          <figcaption className="grid gap-1 p-4 text-sm">
            <TextLink href={subject.href} className="font-medium wrap-anywhere">
              {subject.title}
            </TextLink>
            <span className="text-muted">{subject.whole ? t('page.anyOfIt') : subject.collectionName}</span>
          </figcaption>
        </figure>
      </div>
    </>
  )
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
