import { redirect } from 'next/navigation'
import { getLocale, getTranslations } from 'next-intl/server'
import { titled } from '@/app/language/titled'
import { DownloadLink } from '@/components/dashboard/forms/download-link'
import { hrefOf } from '@/components/dashboard/lists/href'
import { ListPage } from '@/components/dashboard/lists/list-page'
import { pictureOf, RowPicture } from '@/components/dashboard/lists/row-picture'
import { PurchaseBadge, isUnderWay } from '@/components/dashboard/purchases/purchase-badge'
import { PurchaseBuyer } from '@/components/dashboard/purchases/purchase-buyer'
import { Badge } from '@/components/ui/badge'
import { LinkButton } from '@/components/ui/link-button'
import { Card } from '@/components/ui/card'
import { DataTable } from '@/components/ui/data-table'
import { TextLink } from '@/components/ui/text-link'
import { RelativeTime } from '@/components/ui/relative-time'
import { PAYMENT_PROVIDERS } from '@/lib/platform/api/listing-record'
import * as api from '@/lib/platform/api/purchases'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { isUuid } from '@/lib/core/id'
import { amountOf } from '@/lib/core/money'
import { readSortedQuery } from '@/lib/platform/http/page-query'
import { listPurchases } from '@/lib/selling/purchases/list-purchases'

export const generateMetadata = titled('dashboard.purchases', 'title')

const path = '/dashboard/purchases'
const SORTS = ['oldest', 'price', 'priceDown', 'state'] as const

/** Interprets the search text: an email, an address or a purchase's id. */
function soughtIn(buyer: string): { email?: string; eth_address?: string; unknown?: true } {
  if (buyer === '') return {}
  const field = buyer.includes('@') ? 'email' : 'eth_address'
  const read = api.listPurchaseIntents.query.safeParse({ [field]: buyer })
  return read.success ? { [field]: buyer } : { unknown: true }
}

export default async function PurchasesPage({ searchParams }: PageProps<'/dashboard/purchases'>) {
  const [ctx, t, locale] = await Promise.all([dashboardContext(), getTranslations('dashboard.purchases'), getLocale()])
  const parameters = await searchParams
  const buyer = typeof parameters.buyer === 'string' ? parameters.buyer.trim() : ''
  if (isUuid(buyer)) redirect(`${path}/${buyer.toLowerCase()}`)
  const { unknown, ...sought } = soughtIn(buyer)
  const query = readSortedQuery(api.listPurchaseIntents.query, SORTS, { ...parameters, ...sought })
  const purchases = await listPurchases(ctx, { ...query, limit: unknown ? 1 : Math.min(query.limit, 25) })
  const shown = unknown ? [] : purchases.results
  const { status, payment_provider, fulfillment_status, listing_id, item_id, collection_id } = query
  const states = api.INTENT_STATUSES.map((each) => [each, t(`states.${each}`)] as const)
  const deliveries = api.FULFILLMENT_STATUSES.map((each) => [each, t(`deliveries.${each}`)] as const)
  const providers = PAYMENT_PROVIDERS.map((each) => [each, t(`providers.${each}`)] as const)
  const titleOfUnits = ([first, ...more]: readonly { title: string }[]): string => {
    if (!first) return '–'
    return more.length > 0 ? t('list.more', { title: first.title, count: more.length }) : first.title
  }
  return (
    <ListPage
      path={path}
      title={t('title')}
      description={t('list.description')}
      noun={[t('noun.one'), t('noun.other')]}
      page={unknown ? { results: [], cursor: null, total_results: 0 } : purchases}
      query={{ ...query, buyer }}
      refreshSeconds={shown.some(isUnderWay) && 5}
      actions={
        purchases.total_results > 0 && (
          <DownloadLink
            href={hrefOf('/v1/exports/purchases.csv', {
              listing_id,
              item_id,
              collection_id,
              ...sought,
              status,
              payment_provider,
              fulfillment_status,
            })}
          >
            {t('list.export')}
          </DownloadLink>
        )
      }
      filters={[
        {
          name: 'buyer',
          label: t('list.buyer'),
          field: t('list.buyerOrId'),
          input: { placeholder: 'ada@example.com', autoCapitalize: 'none', spellCheck: false },
        },
        { name: 'status', label: t('list.state'), options: states },
        { name: 'fulfillment_status', label: t('list.delivery'), options: deliveries },
        { name: 'payment_provider', label: t('list.how'), options: providers },
        { name: 'listing_id', label: t('list.listing') },
        { name: 'item_id', label: t('list.item') },
        { name: 'collection_id', label: t('list.collection') },
      ]}
      sorts={SORTS}
      none={{
        children: unknown && t('list.unknown'),
      }}
      empty={{
        title: t('list.emptyTitle'),
        action: <LinkButton href="/dashboard/listings">{t('list.toListings')}</LinkButton>,
        children: t('list.empty'),
      }}
    >
      <Card flush>
        <DataTable
          caption={t('title')}
          rows={shown}
          columns={[
            {
              label: t('list.buyer'),
              cell: (purchase) => (
                <TextLink href={`${path}/${purchase.id}`} className="break-all">
                  <PurchaseBuyer purchase={purchase} className="underline decoration-glass/45 underline-offset-3" />
                </TextLink>
              ),
            },
            {
              label: t('list.what'),
              cell: (purchase) => (
                <span className="flex items-center gap-3">
                  {purchase.units[0] && (
                    <RowPicture item={pictureOf(purchase.units[0].title, purchase.units[0].image)} />
                  )}
                  <span className="wrap-anywhere">
                    {`${titleOfUnits(purchase.units)}${purchase.quantity > 1n ? ` × ${purchase.quantity}` : ''}`}
                  </span>
                </span>
              ),
            },
            {
              label: t('list.state'),
              cell: (purchase) => (
                <span className="inline-flex flex-wrap gap-1.5">
                  <PurchaseBadge purchase={purchase} />
                  {purchase.mode === 'TEST' && <Badge>{t('list.test')}</Badge>}
                </span>
              ),
            },
            {
              label: t('list.price'),
              cell: (purchase) =>
                purchase.price === '0'
                  ? t('free')
                  : amountOf(purchase.price, purchase.currency, purchase.currency_decimals, locale),
            },
            { label: t('list.how'), cell: (purchase) => t(`providers.${purchase.provider}`) },
            { label: t('list.begun'), cell: (purchase) => <RelativeTime at={purchase.created_at} /> },
          ]}
        />
      </Card>
    </ListPage>
  )
}
