import type { Metadata } from 'next'
import { Plus } from 'lucide-react'
import { Filters } from '@/components/dashboard/filters'
import { hrefOf } from '@/components/dashboard/href'
import { ListingBadge } from '@/components/dashboard/listing-badge'
import { LISTING_STATES, WAYS, choicesOf } from '@/components/dashboard/selling-words'
import { LinkButton } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { Field } from '@/components/ui/field'
import { Select } from '@/components/ui/input'
import { PageHeader } from '@/components/ui/page-header'
import { Pager } from '@/components/ui/pager'
import { ItemPicture } from '@/components/ui/picture'
import { Table, Tbody, Td, Th, Thead, Tr } from '@/components/ui/table'
import { TextLink } from '@/components/ui/text-link'
import { Time } from '@/components/ui/time'
import * as api from '@/lib/api/listings'
import { may } from '@/lib/auth/context'
import { dashboardContext } from '@/lib/auth/dashboard'
import { listCollections } from '@/lib/collections/list-collections'
import { amountOf } from '@/lib/core/money'
import { readQuery } from '@/lib/http/page-query'
import { listListings } from '@/lib/listings/list-listings'
import { subjectsOf } from './listing-subject'

export const metadata: Metadata = { title: 'Listings' }

const path = '/dashboard/listings'

export default async function ListingsPage({ searchParams }: PageProps<'/dashboard/listings'>) {
  const ctx = await dashboardContext()
  const query = readQuery(api.listListings.query, await searchParams)
  const [listings, collections] = await Promise.all([
    listListings(ctx, { ...query, limit: Math.min(query.limit, 25) }),
    listCollections(ctx, { limit: 100, network_id: [], deployment_status: 'SUCCESS' }),
  ])
  const subjects = await subjectsOf(ctx, listings.results)
  const { status, collection_id, item_id } = query
  const filters = { status, collection_id, item_id }
  const filtered = Boolean(status || collection_id || item_id)
  const make = may(ctx, 'listings:write') && (
    <LinkButton href={`${path}/new`} variant="primary" icon={<Plus aria-hidden="true" className="size-4" />}>
      New listing
    </LinkButton>
  )
  return (
    <>
      <PageHeader title="Listings" description="Offers: what, for how much, how many, from when and to whom. Each has a checkout page of its own." actions={make} />
      {(filtered || listings.total_results > 0) && (
        <Filters path={path} active={filtered}>
          <Field label="State">
            <Select name="status" defaultValue={status ?? ''}>
              <option value="">Any</option>
              {choicesOf(LISTING_STATES).map(([value, words]) => (
                <option key={value} value={value}>
                  {words}
                </option>
              ))}
            </Select>
          </Field>
          <Field label="Collection">
            <Select name="collection_id" defaultValue={collection_id ?? ''}>
              <option value="">All</option>
              {collections.results.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </Select>
          </Field>
        </Filters>
      )}
      {listings.results.length === 0 ? (
        <Card>
          {filtered ? (
            <EmptyState title="No listing fits" action={<LinkButton href={path}>Show all</LinkButton>} />
          ) : (
            <EmptyState title="Nothing for sale yet" action={make}>
              Offer a locked item, or any item of a collection: for a card, for crypto, or for free. Its units are set aside, so that nothing is ever sold twice.
            </EmptyState>
          )}
        </Card>
      ) : (
        <Card flush>
          <Table caption="Listings">
            <Thead>
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
                  <Tr key={listing.id}>
                    <Td rowHeader>
                      <span className="flex items-center gap-3">
                        <span className="size-10 shrink-0 overflow-hidden rounded-sm border bg-well">
                          <ItemPicture item={subject.picture} size="tiny" className="size-full" />
                        </span>
                        <TextLink href={`${path}/${listing.id}`} className="line-clamp-2 break-words max-sm:wrap-anywhere">
                          {subject.title}
                        </TextLink>
                      </span>
                    </Td>
                    <Td label="State">
                      <ListingBadge listing={listing} />
                    </Td>
                    <Td label="Price">{listing.price === '0' ? 'Free' : amountOf(listing.price, listing.currency, listing.price_currency_decimals)}</Td>
                    <Td label="How">{listing.payment_providers.map((provider) => WAYS[provider]).join(', ')}</Td>
                    <Td label="Sold">
                      {listing.quantity_confirmed.toLocaleString('en')} of {listing.quantity_listed.toLocaleString('en')}
                    </Td>
                    <Td label="Ends">{listing.end_time ? <Time at={listing.end_time} relative /> : '–'}</Td>
                  </Tr>
                )
              })}
            </Tbody>
          </Table>
        </Card>
      )}
      <Pager
        first={query.cursor ? hrefOf(path, filters) : null}
        next={listings.cursor && hrefOf(path, { ...filters, cursor: listings.cursor })}
        total={listings.total_results}
        noun={listings.total_results === 1 ? 'listing' : 'listings'}
      />
    </>
  )
}
