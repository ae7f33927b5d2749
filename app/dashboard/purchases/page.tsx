import { redirect } from 'next/navigation'
import { getLocale, getTranslations } from 'next-intl/server'
import { titled } from '@/app/language/titled'
import { Choice, wordsFor } from '@/components/dashboard/forms/choice'
import { DownloadLink } from '@/components/dashboard/forms/download-link'
import { hrefOf } from '@/components/dashboard/lists/href'
import { ListPage } from '@/components/dashboard/lists/list-page'
import { SortChoice } from '@/components/dashboard/lists/sort-choice'
import { pictureOf, RowPicture } from '@/components/dashboard/lists/row-picture'
import { PurchaseBadge, isUnderWay } from '@/components/dashboard/purchases/purchase-badge'
import { PurchaseBuyer } from '@/components/dashboard/purchases/purchase-buyer'
import { Badge } from '@/components/ui/badge'
import { LinkButton } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Table, Tbody, Td, Th, Thead, Tr } from '@/components/ui/table'
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
  const [ctx, t, tSort, locale] = await Promise.all([
    dashboardContext(),
    getTranslations('dashboard.purchases'),
    getTranslations('dashboard.common.sort'),
    getLocale(),
  ])
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
  const narrowed = { listing_id, item_id, collection_id }
  return (
    <ListPage
      path={path}
      title={t('title')}
      description={t('list.description')}
      noun={[t('noun.one'), t('noun.other')]}
      page={unknown ? { results: [], cursor: null, total_results: 0 } : purchases}
      cursor={query.cursor}
      refreshSeconds={shown.some(isUnderWay) && 5}
      actions={
        purchases.total_results > 0 && (
          <DownloadLink
            href={hrefOf('/v1/exports/purchases.csv', {
              ...narrowed,
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
      filters={{
        buyer: { label: t('list.buyer'), value: buyer },
        status: { label: t('list.state'), value: status, shown: wordsFor(states, status) },
        fulfillment_status: {
          label: t('list.delivery'),
          value: fulfillment_status,
          shown: wordsFor(deliveries, fulfillment_status),
        },
        payment_provider: {
          label: t('list.how'),
          value: payment_provider,
          shown: wordsFor(providers, payment_provider),
        },
        listing_id: { label: t('list.listing'), value: listing_id },
        item_id: { label: t('list.item'), value: item_id },
        collection_id: { label: t('list.collection'), value: collection_id },
        sort: { label: tSort('by'), value: query.sort, shown: query.sort && tSort(query.sort) },
      }}
      fields={
        <>
          <Field label={t('list.buyerOrId')}>
            <Input
              name="buyer"
              type="search"
              defaultValue={buyer}
              placeholder="ada@example.com"
              autoCapitalize="none"
              spellCheck={false}
            />
          </Field>
          <Choice label={t('list.state')} name="status" value={status} options={states} />
          <Choice
            label={t('list.delivery')}
            name="fulfillment_status"
            value={fulfillment_status}
            options={deliveries}
          />
          <Choice label={t('list.how')} name="payment_provider" value={payment_provider} options={providers} />
          {Object.entries(narrowed).map(
            ([name, value]) => value && <input key={name} type="hidden" name={name} value={value} />,
          )}
          <SortChoice value={query.sort} sorts={SORTS} />
        </>
      }
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
        <Table caption={t('title')}>
          <Thead>
            <Th>{t('list.buyer')}</Th>
            <Th>{t('list.what')}</Th>
            <Th>{t('list.state')}</Th>
            <Th>{t('list.price')}</Th>
            <Th>{t('list.how')}</Th>
            <Th>{t('list.begun')}</Th>
          </Thead>
          <Tbody>
            {shown.map((purchase) => (
              <Tr key={purchase.id}>
                <Td rowHeader>
                  <TextLink href={`${path}/${purchase.id}`} className="break-all">
                    <PurchaseBuyer purchase={purchase} className="underline decoration-glass/45 underline-offset-3" />
                  </TextLink>
                </Td>
                <Td label={t('list.what')}>
                  <span className="flex items-center gap-3">
                    {purchase.units[0] && (
                      <RowPicture item={pictureOf(purchase.units[0].title, purchase.units[0].image)} />
                    )}
                    <span className="wrap-anywhere">
                      {`${titleOfUnits(purchase.units)}${purchase.quantity > 1n ? ` × ${purchase.quantity}` : ''}`}
                    </span>
                  </span>
                </Td>
                <Td label={t('list.state')}>
                  <span className="inline-flex flex-wrap gap-1.5">
                    <PurchaseBadge purchase={purchase} />
                    {purchase.mode === 'TEST' && <Badge>{t('list.test')}</Badge>}
                  </span>
                </Td>
                <Td label={t('list.price')}>
                  {purchase.price === '0'
                    ? t('free')
                    : amountOf(purchase.price, purchase.currency, purchase.currency_decimals, locale)}
                </Td>
                <Td label={t('list.how')}>{t(`providers.${purchase.provider}`)}</Td>
                <Td label={t('list.begun')}>
                  <RelativeTime at={purchase.created_at} />
                </Td>
              </Tr>
            ))}
          </Tbody>
        </Table>
      </Card>
    </ListPage>
  )
}
