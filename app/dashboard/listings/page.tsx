import { getFormatter, getLocale, getTranslations } from 'next-intl/server'
import { Pause, Play, Plus } from 'lucide-react'
import { titled } from '@/app/language/titled'
import { BulkButton } from '@/components/dashboard/lists/bulk-actions'
import { BulkTable } from '@/components/dashboard/lists/bulk-table'
import { ListPage } from '@/components/dashboard/lists/list-page'
import { RowPicture } from '@/components/dashboard/lists/row-picture'
import { ListingBadge } from '@/components/dashboard/listings/listing-badge'
import { LinkButton } from '@/components/ui/link-button'
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

/** The actions that can be run on a listing of this status. */
function actionsFor(status: (typeof LISTING_STATUSES)[number]): readonly string[] {
  if (status === 'ACTIVE' || status === 'SCHEDULED') return ['pause']
  return status === 'PAUSED' ? ['resume'] : []
}

export default async function ListingsPage({ searchParams }: PageProps<'/dashboard/listings'>) {
  const [ctx, t, format, locale] = await Promise.all([
    dashboardContext(),
    getTranslations('dashboard.listings'),
    getFormatter(),
    getLocale(),
  ])
  const query = readSortedQuery(api.listListings.query, SORTS, await searchParams)
  const [listings, collections] = await Promise.all([
    listListings(ctx, { ...query, limit: Math.min(query.limit, 25) }),
    listCollectionChoices(ctx, { deployed: true }),
  ])
  const subjects = await subjectsOf(ctx, listings.results)
  const noun = [t('noun.one'), t('noun.other')] as const
  const states = LISTING_STATUSES.map((state) => [state, t(`states.${state}`)] as const)
  const named = collections.map(({ id, name }) => [id, name] as const)
  const mayWrite = may(ctx, 'listings:write')
  const rows = listings.results.map((listing) => ({ ...listing, subject: subjects.get(listing.id)! }))
  const make = mayWrite && (
    <LinkButton href={`${path}/new`} variant="primary" icon={<Plus aria-hidden="true" className="size-4" />}>
      {t('new')}
    </LinkButton>
  )
  return (
    <ListPage
      path={path}
      title={t('title')}
      description={t('lead')}
      actions={make}
      noun={noun}
      page={listings}
      query={query}
      filters={[
        { name: 'status', label: t('columns.state'), options: states },
        { name: 'collection_id', label: t('columns.collection'), options: named, any: t('all') },
        { name: 'item_id', label: t('columns.item') },
      ]}
      sorts={SORTS}
      empty={{
        title: t('empty.title'),
        action: make,
        children: t('empty.text'),
      }}
    >
      <BulkTable
        caption={t('title')}
        rows={rows}
        noun={noun}
        choose={t('columns.choose')}
        choiceOf={(listing) => ({ name: listing.subject.title, can: actionsFor(listing.status) })}
        actions={
          mayWrite && (
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
          )
        }
        columns={[
          {
            label: t('columns.what'),
            cell: (listing) => (
              <span className="flex items-center gap-3">
                <RowPicture item={listing.subject.picture} />
                <TextLink href={`${path}/${listing.id}`} className="wrap-anywhere sm:line-clamp-2">
                  {listing.subject.title}
                </TextLink>
              </span>
            ),
          },
          { label: t('columns.state'), cell: (listing) => <ListingBadge listing={listing} /> },
          {
            label: t('columns.price'),
            cell: (listing) =>
              listing.price === '0'
                ? t('free')
                : amountOf(listing.price, listing.currency, listing.price_currency_decimals, locale),
          },
          {
            label: t('columns.how'),
            cell: (listing) =>
              format.list(
                listing.payment_providers.map((provider) => t(`providers.${provider}`)),
                { type: 'unit', style: 'short' },
              ),
          },
          {
            label: t('columns.sold'),
            cell: (listing) =>
              t('soldOf', { sold: Number(listing.quantity_confirmed), all: Number(listing.quantity_listed) }),
          },
          {
            label: t('columns.ends'),
            cell: (listing) => (listing.end_time ? <RelativeTime at={listing.end_time} /> : '–'),
          },
        ]}
      />
    </ListPage>
  )
}
