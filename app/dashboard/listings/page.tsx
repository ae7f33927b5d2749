import { getFormatter, getLocale, getTranslations } from 'next-intl/server'
import { Pause, Play, Plus } from 'lucide-react'
import { titled } from '@/app/language/titled'
import { BulkButton } from '@/components/dashboard/lists/bulk-actions'
import { BulkAll, BulkCheck, BulkList, BulkTr } from '@/components/dashboard/lists/bulk-list'
import { Choice, wordsFor } from '@/components/dashboard/forms/choice'
import { ListPage } from '@/components/dashboard/lists/list-page'
import { SortChoice } from '@/components/dashboard/lists/sort-choice'
import { RowPicture } from '@/components/dashboard/lists/row-picture'
import { ListingBadge } from '@/components/dashboard/listings/listing-badge'
import { LinkButton } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Table, Tbody, Td, Th, Thead } from '@/components/ui/table'
import { TextLink } from '@/components/ui/text-link'
import { RelativeTime } from '@/components/ui/relative-time'
import { LISTING_STATUSES } from '@/lib/platform/api/listing-record'
import * as api from '@/lib/platform/api/listings'
import { may } from '@/lib/platform/auth/context'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { listCollectionChoices } from '@/lib/catalog/collections/list-collection-choices'
import { amountOf } from '@/lib/core/money'
import { readSortedQuery } from '@/lib/platform/http/page-query'
import { listListings } from '@/lib/offers/listings/list-listings'
import { pauseManyAction, resumeManyAction } from './actions'
import { subjectsOf } from './listing-subject'

export const generateMetadata = titled('dashboard.listings', 'title')

const path = '/dashboard/listings'
const SORTS = ['oldest', 'price', 'priceDown', 'state'] as const

export default async function ListingsPage({ searchParams }: PageProps<'/dashboard/listings'>) {
  const [ctx, t, tSort, format, locale] = await Promise.all([
    dashboardContext(),
    getTranslations('dashboard.listings'),
    getTranslations('dashboard.common.sort'),
    getFormatter(),
    getLocale(),
  ])
  const query = readSortedQuery(api.listListings.query, SORTS, await searchParams)
  const [listings, collections] = await Promise.all([
    listListings(ctx, { ...query, limit: Math.min(query.limit, 25) }),
    listCollectionChoices(ctx, { deployed: true }),
  ])
  const subjects = await subjectsOf(ctx, listings.results)
  const { status, collection_id, item_id } = query
  const noun = [t('noun.one'), t('noun.other')] as const
  const states = LISTING_STATUSES.map((state) => [state, t(`states.${state}`)] as const)
  const named = collections.map(({ id, name }) => [id, name] as const)
  const mayWrite = may(ctx, 'listings:write')
  const rows = listings.results.map((listing) => ({
    id: listing.id,
    name: subjects.get(listing.id)!.title,
    can:
      listing.status === 'ACTIVE' || listing.status === 'SCHEDULED'
        ? ['pause']
        : listing.status === 'PAUSED'
          ? ['resume']
          : [],
  }))
  const choosable = mayWrite && rows.some(({ can }) => can.length > 0)
  const make = mayWrite && (
    <LinkButton href={`${path}/new`} variant="primary" icon={<Plus aria-hidden="true" className="size-4" />}>
      {t('new')}
    </LinkButton>
  )
  const table = (
    <Card flush>
      <Table caption={t('title')}>
        <Thead>
          {choosable && (
            <Th>
              <BulkAll />
            </Th>
          )}
          <Th>{t('columns.what')}</Th>
          <Th>{t('columns.state')}</Th>
          <Th>{t('columns.price')}</Th>
          <Th>{t('columns.how')}</Th>
          <Th>{t('columns.sold')}</Th>
          <Th>{t('columns.ends')}</Th>
        </Thead>
        <Tbody>
          {listings.results.map((listing) => {
            const subject = subjects.get(listing.id)!
            return (
              <BulkTr key={listing.id} id={listing.id}>
                {choosable && (
                  <Td label={t('columns.choose')}>
                    <BulkCheck id={listing.id} name={subject.title} />
                  </Td>
                )}
                <Td rowHeader>
                  <span className="flex items-center gap-3">
                    <RowPicture item={subject.picture} />
                    <TextLink href={`${path}/${listing.id}`} className="wrap-anywhere sm:line-clamp-2">
                      {subject.title}
                    </TextLink>
                  </span>
                </Td>
                <Td label={t('columns.state')}>
                  <ListingBadge listing={listing} />
                </Td>
                <Td label={t('columns.price')}>
                  {listing.price === '0'
                    ? t('free')
                    : amountOf(listing.price, listing.currency, listing.price_currency_decimals, locale)}
                </Td>
                <Td label={t('columns.how')}>
                  {format.list(
                    listing.payment_providers.map((provider) => t(`providers.${provider}`)),
                    { type: 'unit', style: 'short' },
                  )}
                </Td>
                <Td label={t('columns.sold')}>
                  {t('soldOf', { sold: Number(listing.quantity_confirmed), all: Number(listing.quantity_listed) })}
                </Td>
                <Td label={t('columns.ends')}>{listing.end_time ? <RelativeTime at={listing.end_time} /> : '–'}</Td>
              </BulkTr>
            )
          })}
        </Tbody>
      </Table>
    </Card>
  )
  return (
    <ListPage
      path={path}
      title={t('title')}
      description={t('lead')}
      actions={make}
      noun={noun}
      page={listings}
      cursor={query.cursor}
      filters={{
        status: { label: t('columns.state'), value: status, shown: wordsFor(states, status) },
        collection_id: { label: t('columns.collection'), value: collection_id, shown: wordsFor(named, collection_id) },
        item_id: { label: t('columns.item'), value: item_id },
        sort: { label: tSort('by'), value: query.sort, shown: query.sort && tSort(query.sort) },
      }}
      fields={
        <>
          <Choice label={t('columns.state')} name="status" value={status} options={states} />
          <Choice
            label={t('columns.collection')}
            name="collection_id"
            value={collection_id}
            options={named}
            any={t('all')}
          />
          {item_id && <input type="hidden" name="item_id" value={item_id} />}
          <SortChoice value={query.sort} sorts={SORTS} />
        </>
      }
      empty={{
        title: t('empty.title'),
        action: make,
        children: t('empty.text'),
      }}
    >
      {choosable ? (
        <BulkList
          rows={rows}
          noun={noun}
          actions={
            <>
              <BulkButton
                verb="pause"
                label={t('pause.action')}
                icon={<Pause aria-hidden="true" className="size-4" />}
                action={pauseManyAction}
                title={t('pause.many')}
                description={t('pause.manyText')}
                confirm={t('pause.manyYes')}
                done={t('pause.manyDone')}
                undo={{ action: resumeManyAction, done: t('resume.manyDone') }}
                otherwise={t('pause.otherwise')}
              />
              <BulkButton
                verb="resume"
                label={t('resume.action')}
                icon={<Play aria-hidden="true" className="size-4" />}
                action={resumeManyAction}
                title={t('resume.many')}
                description={t('resume.manyText')}
                confirm={t('resume.manyYes')}
                done={t('resume.manyDone')}
                undo={{ action: pauseManyAction, done: t('pause.manyAgain') }}
                otherwise={t('resume.otherwise')}
              />
            </>
          }
        >
          {table}
        </BulkList>
      ) : (
        table
      )}
    </ListPage>
  )
}
