import type { Metadata } from 'next'
import { Pause, Play, Plus } from 'lucide-react'
import { BulkButton } from '@/components/dashboard/lists/bulk-actions'
import { BulkAll, BulkCheck, BulkList, BulkTr } from '@/components/dashboard/lists/bulk-list'
import { Choice, wordsFor } from '@/components/dashboard/forms/choice'
import { ListPage } from '@/components/dashboard/lists/list-page'
import { RowPicture } from '@/components/dashboard/lists/row-picture'
import { ListingBadge } from '@/components/dashboard/listings/listing-badge'
import { LISTING_STATES, PROVIDER_LABELS, choicesOf } from '@/components/dashboard/listings/selling-labels'
import { LinkButton } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
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
                    <RowPicture item={subject.picture} />
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
      description="Sell items or give them away: set the price, the quantity, the dates and who can buy. Each listing has its own checkout page."
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
          'Offer a locked item, or any item of a collection: by card, for crypto, or for free. Its units are reserved, so that nothing is sold twice.',
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
                description="Nobody can start a purchase until you resume them. Purchases in progress continue. Meanwhile unsold units become available for other uses, and resuming needs them again."
                confirm="Pause them"
                done="Paused: #."
                undo={{ action: resumeManyAction, done: 'On sale again: #.' }}
                otherwise="Only what is on sale or about to be can be paused."
              />
              <BulkButton
                verb="resume"
                label="Resume"
                icon={<Play aria-hidden="true" className="size-4" />}
                action={resumeManyAction}
                title="Resume #?"
                description="Their units are reserved again, and everyone who is allowed to can buy."
                confirm="Resume them"
                done="On sale again: #."
                undo={{ action: pauseManyAction, done: 'Paused again: #.' }}
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
