import type { Metadata } from 'next'
import { ExternalLink, Pause, Pencil, Play } from 'lucide-react'
import { ConfirmAction } from '@/components/dashboard/forms/confirm-action'
import { Findings } from '@/components/dashboard/listings/findings'
import { Holds } from '@/components/dashboard/items/holds'
import { hrefOf } from '@/components/dashboard/lists/href'
import { ListingBadge } from '@/components/dashboard/listings/listing-badge'
import { ModeBar } from '@/components/dashboard/shell/mode-bar'
import { PurchaseBadge } from '@/components/dashboard/purchases/purchase-badge'
import { PurchaseBuyer } from '@/components/dashboard/purchases/purchase-buyer'
import { Refresh } from '@/components/dashboard/shell/refresh'
import { POLICIES, PROVIDER_LABELS } from '@/components/dashboard/listings/selling-labels'
import { StockBar, UnitsBar } from '@/components/dashboard/items/stock-bar'
import { Alert } from '@/components/ui/alert'
import { Button, LinkButton } from '@/components/ui/button'
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

export const metadata: Metadata = { title: 'Listing' }

const OVER: Record<string, string> = {
  COMPLETE: 'Sold out.',
  CANCELLED: 'It was cancelled. Unsold units are available again; sold ones aren’t affected.',
  EXPIRED: 'It has ended. Unsold units are available again.',
}

export default async function ListingPage({ params }: PageProps<'/dashboard/listings/[listingId]'>) {
  const { listingId } = await params
  const ctx = await dashboardContext()
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
  const price =
    listing.price === '0' ? 'Free' : amountOf(listing.price, listing.currency, listing.price_currency_decimals)
  const over = OVER[listing.status]
  const draft = listing.status === 'DRAFT'
  const mayWrite = may(ctx, 'listings:write') && !over
  const frame = `<iframe src="${listing.checkout_url}?embed=1" title="${escaped(subject.title)}" width="100%" height="720" style="border:0" allow="publickey-credentials-get; clipboard-write"></iframe>`
  return (
    <>
      {(listing.status === 'ACTIVE' || listing.status === 'SCHEDULED') && <Refresh everySeconds={5} />}
      <PageHeader
        back={{ href: '/dashboard/listings', label: 'Listings' }}
        title={subject.title}
        badge={<ListingBadge listing={listing} />}
        description={
          <>
            {subject.whole ? 'Any item of the collection' : subject.collectionName}, {price === 'Free' ? 'free' : price}
          </>
        }
        actions={
          <>
            {!draft && (
              <LinkButton
                href={new URL(listing.checkout_url).pathname}
                target="_blank"
                icon={<ExternalLink aria-hidden="true" className="size-4" />}
              >
                Checkout page<span className="sr-only">, in a new tab</span>
              </LinkButton>
            )}
            {mayWrite && (
              <LinkButton href={`${here}/edit`} icon={<Pencil aria-hidden="true" className="size-4" />}>
                Edit
              </LinkButton>
            )}
            {mayWrite && (listing.status === 'ACTIVE' || listing.status === 'SCHEDULED') && (
              <ConfirmAction
                action={moveListingAction.bind(null, listing.id, 'PAUSED')}
                undo={moveListingAction.bind(null, listing.id, 'ACTIVE')}
                trigger={<Button icon={<Pause aria-hidden="true" className="size-4" />}>Pause</Button>}
                title="Pause this listing?"
                description="Nobody can start a purchase until you resume it. Purchases in progress continue. Meanwhile unsold units become available for other uses, and resuming needs them again."
                confirm="Pause it"
                tone="primary"
              />
            )}
            {mayWrite && (listing.status === 'PAUSED' || draft) && (
              <ConfirmAction
                action={moveListingAction.bind(null, listing.id, 'ACTIVE')}
                {...(!draft && { undo: moveListingAction.bind(null, listing.id, 'PAUSED') })}
                trigger={
                  <Button variant="primary" icon={<Play aria-hidden="true" className="size-4" />}>
                    {draft ? 'Put on sale' : 'Resume'}
                  </Button>
                }
                title={draft ? 'Put it on sale?' : 'Resume this listing?'}
                description="Its units are reserved, and from its start everyone who is allowed to can buy."
                confirm={draft ? 'Put it on sale' : 'Resume it'}
                tone="primary"
              />
            )}
            {mayWrite && (
              <ConfirmAction
                action={cancelListingAction.bind(null, listing.id, draft)}
                trigger={<Button variant="danger">{draft ? 'Delete' : 'Cancel it'}</Button>}
                title={draft ? 'Delete this draft?' : 'Cancel this listing?'}
                description={
                  draft
                    ? 'Nobody has seen it.'
                    : 'Nothing more can be sold, and this can’t be undone. Purchases in progress can still be paid, and sold items are delivered.'
                }
                confirm={draft ? 'Delete the draft' : 'Cancel the listing'}
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
          <Card title="Sales">
            <UnitsBar
              parts={[
                { name: 'Sold', units: listing.quantity_confirmed },
                { name: 'In checkout', units: listing.quantity_open },
                { name: 'Left', units: listing.quantity_remaining },
              ]}
            />
          </Card>
          {purchases.total_results > 0 && (
            <Card
              flush
              title="Latest purchases"
              actions={
                <TextLink href={hrefOf('/dashboard/purchases', { listing_id: listing.id })}>
                  All {purchases.total_results.toLocaleString('en')}
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
                      {purchase.quantity > 1n && <span>{purchase.quantity.toString()} units</span>}
                      <RelativeTime at={purchase.created_at} />
                      <PurchaseBadge purchase={purchase} />
                    </span>
                  </li>
                ))}
              </ul>
            </Card>
          )}
          {holds && (
            <Card
              title="Units of the item"
              description="Every unit is either free, held for somebody, or on the chain."
            >
              <div className="grid gap-4">
                <StockBar minted={holds.minted} inCustody={holds.kept} held={holds.held} free={holds.free} />
                <Holds holds={holds.results} here={listing.id} />
              </div>
            </Card>
          )}
          <Card title="Terms">
            <Facts>
              <Fact name="Price of one">{price}</Fact>
              <Fact name="Delivery">
                {listing.payment_providers.map((provider) => PROVIDER_LABELS[provider]).join(', ')}
              </Fact>
              <Fact name="Network">{network?.name ?? listing.network_id}</Fact>
              <Fact name="Who may buy">
                {allowed !== null ? (
                  <TextLink href={`${here}/allow-list`}>
                    {POLICIES.ALLOW_LIST} ({allowed.toLocaleString('en')})
                  </TextLink>
                ) : snapshot ? (
                  <TextLink href="/dashboard/snapshots">Holders in “{snapshot.name}”</TextLink>
                ) : (
                  POLICIES[listing.policy_type]
                )}
              </Fact>
              <Fact name="Per purchase">At most {listing.max_quantity_per_tx.toLocaleString('en')}</Fact>
              <Fact name="For one buyer">
                {listing.max_per_user === null ? 'No limit' : `At most ${listing.max_per_user.toLocaleString('en')}`}
              </Fact>
              <Fact name="Starts">{listing.start_time ? <Time at={listing.start_time} /> : 'At once'}</Fact>
              <Fact name="Ends">{listing.end_time ? <Time at={listing.end_time} /> : 'When all are sold'}</Fact>
              {listing.proof_of_work && <Fact name="Bot protection">Always</Fact>}
              <Fact name="Made">
                <Time at={listing.created_at} />
              </Fact>
            </Facts>
          </Card>
          {!draft && (
            <Card title="Share it">
              <div className="grid gap-5">
                <div className="flex flex-wrap items-center justify-between gap-2 rounded-md bg-well px-4 py-3">
                  <code className="figures min-w-0 break-all">{listing.checkout_url}</code>
                  <CopyButton text={listing.checkout_url} label="Copy the link" showLabel />
                </div>
                <div className="grid gap-2">
                  <div className="flex flex-wrap items-center justify-between gap-2">
                    <h3 className="text-sm font-medium">On your website</h3>
                    <CopyButton text={frame} label="Copy the snippet" showLabel />
                  </div>
                  <pre className="figures rounded-md bg-well px-4 py-3 text-sm break-all whitespace-pre-wrap">
                    {frame}
                  </pre>
                  <p className="text-sm text-muted">
                    {organization.embed_origins.length === 0
                      ? 'No website can embed it yet. '
                      : `It can be embedded on ${organization.embed_origins.join(', ')}. `}
                    <TextLink href="/dashboard/settings#embedding">Choose which websites can</TextLink>
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
            <span className="text-muted">{subject.whole ? 'Any item of it' : subject.collectionName}</span>
          </figcaption>
        </figure>
      </div>
    </>
  )
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
