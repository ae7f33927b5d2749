import type { Metadata } from 'next'
import { Pause, Play, Plus } from 'lucide-react'
import { BulkButton } from '@/components/dashboard/lists/bulk-actions'
import { BulkAll, BulkCheck, BulkList, BulkTr } from '@/components/dashboard/lists/bulk-list'
import { Choice, wordsFor } from '@/components/dashboard/forms/choice'
import { ListPage } from '@/components/dashboard/lists/list-page'
import { ListingBadge } from '@/components/dashboard/listings/listing-badge'
import { LISTING_STATES, PROVIDER_LABELS, choicesOf } from '@/components/dashboard/listings/selling-labels'
import { LinkButton } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { ItemPicture } from '@/components/ui/picture'
import { Table, Tbody, Td, Th, Thead } from '@/components/ui/table'
import { TextLink } from '@/components/ui/text-link'
import { RelativeTime } from '@/components/ui/relative-time'
import * as api from '@/lib/platform/api/listings'
import { may } from '@/lib/platform/auth/context'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { listCollectionChoices } from '@/lib/catalog/collections/list-collection-choices'
import { amountOf } from '@/lib/core/money'
import { readQuery } from '@/lib/platform/http/page-query'
import { listListings } from '@/lib/offers/listings/list-listings'
import { pauseManyAction, resumeManyAction } from './actions'
import { subjectsOf } from './listing-subject'

export const metadata: Metadata = { title: 'Listings' }

const path = '/dashboard/listings'

export default async function ListingsPage({ searchParams }: PageProps<'/dashboard/listings'>) {
  const ctx = await dashboardContext()
  const query = readQuery(api.listListings.query, await searchParams)
  const [listings, collections] = await Promise.all([
    listListings(ctx, { ...query, limit: Math.min(query.limit, 25) }),
    listCollectionChoices(ctx, { deployed: true }),
  ])
  const subjects = await subjectsOf(ctx, listings.results)
  const { status, collection_id, item_id } = query
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
      New listing
    </LinkButton>
  )
  const table = (
    <Card flush>
      <Table caption="Listings">
        <Thead>
          {choosable && (
            <Th>
              <BulkAll />
            </Th>
          )}
          <Th>What</Th>
          <Th>State</Th>
          <Th>Price</Th>
          <Th>How</Th>
          <Th>Sold</Th>
          <Th>Ends</Th>
        </Thead>
        <Tbody>
          {listings.results.map((listing) => {
            const subject = subjects.get(listing.id)!
            return (
              <BulkTr key={listing.id} id={listing.id}>
                {choosable && (
                  <Td label="Choose">
                    <BulkCheck id={listing.id} name={subject.title} />
                  </Td>
                )}
                <Td rowHeader>
                  <span className="flex items-center gap-3">
                    <span className="size-10 shrink-0 overflow-hidden rounded-sm border bg-well">
                      <ItemPicture item={subject.picture} size="tiny" className="size-full" />
                    </span>
                    <TextLink href={`${path}/${listing.id}`} className="line-clamp-2 wrap-anywhere">
                      {subject.title}
                    </TextLink>
                  </span>
                </Td>
                <Td label="State">
                  <ListingBadge listing={listing} />
                </Td>
                <Td label="Price">
                  {listing.price === '0'
                    ? 'Free'
                    : amountOf(listing.price, listing.currency, listing.price_currency_decimals)}
                </Td>
                <Td label="How">{listing.payment_providers.map((provider) => PROVIDER_LABELS[provider]).join(', ')}</Td>
                <Td label="Sold">
                  {listing.quantity_confirmed.toLocaleString('en')} of {listing.quantity_listed.toLocaleString('en')}
                </Td>
                <Td label="Ends">{listing.end_time ? <RelativeTime at={listing.end_time} /> : '–'}</Td>
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
      title="Listings"
      description="Offers: what, for how much, how many, from when and to whom. Each has a checkout page of its own."
      actions={make}
      noun={['listing', 'listings']}
      page={listings}
      cursor={query.cursor}
      filters={{
        status: { label: 'State', value: status, shown: wordsFor(choicesOf(LISTING_STATES), status) },
        collection_id: { label: 'Collection', value: collection_id, shown: wordsFor(named, collection_id) },
        item_id: { label: 'Item', value: item_id },
      }}
      fields={
        <>
          <Choice label="State" name="status" value={status} options={choicesOf(LISTING_STATES)} />
          <Choice label="Collection" name="collection_id" value={collection_id} options={named} any="All" />
          {item_id && <input type="hidden" name="item_id" value={item_id} />}
        </>
      }
      empty={{
        title: 'Nothing for sale yet',
        action: make,
        children:
          'Offer a locked item, or any item of a collection: for a card, for crypto, or for free. Its units are set aside, so that nothing is ever sold twice.',
      }}
    >
      {choosable ? (
        <BulkList
          rows={rows}
          noun={['listing', 'listings']}
          actions={
            <>
              <BulkButton
                verb="pause"
                label="Pause"
                icon={<Pause aria-hidden="true" className="size-4" />}
                action={pauseManyAction}
                title="Pause #?"
                description="Nobody can begin a purchase until you resume them. Purchases that were begun go on. Unsold units come free meanwhile: resuming needs them again."
                confirm="Pause them"
                done="Paused: #."
                undo={{ label: 'Resume', action: resumeManyAction, done: 'On sale again: #.' }}
                otherwise="Only what is on sale or about to be can be paused."
              />
              <BulkButton
                verb="resume"
                label="Resume"
                icon={<Play aria-hidden="true" className="size-4" />}
                action={resumeManyAction}
                title="Resume #?"
                description="Their units are set aside again, and everybody who may can buy."
                confirm="Resume them"
                done="On sale again: #."
                otherwise="Only what is paused can be resumed."
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
