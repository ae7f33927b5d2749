import { randomUUID } from 'node:crypto'
import { headers } from 'next/headers'
import { GET as getListing } from '@/app/public/v1/listings/[listing_id]/route'
import type { ListingView } from '@/components/checkout/listing'
import type { Subject } from '@/components/checkout/subject'
import { subjectOf } from '@/components/checkout/subject'
import { authenticate } from '@/lib/platform/auth/authenticate'
import { env } from '@/lib/core/env'
import { getOffered } from '@/lib/offers/listings/get-offered'

/** A listing as the public endpoint returns it, called in process, and what it sells; null where there is none. */
export async function readOffer(
  listingId: string,
): Promise<{ listing: ListingView; subject: Subject; readAt: number } | null> {
  const clientAddress = (await headers()).get('x-client-address') ?? ''
  const request = new Request(`${env.ORIGIN}/public/v1/listings/${encodeURIComponent(listingId)}`, {
    headers: { 'x-client-address': clientAddress },
  })
  const response = await getListing(request, { params: Promise.resolve({ listing_id: listingId }) })
  if (response.status === 404) return null
  if (!response.ok) throw new Error(`The listing ${listingId} could not be read: ${response.status}.`)
  const listing = (await response.json()) as ListingView
  const ctx = await authenticate('anonymous', request, {}, { requestId: randomUUID(), clientAddress })
  const { isItem, collection, items } = await getOffered(ctx, listing.id)
  const [item] = items
  const subject =
    isItem && item
      ? subjectOf(item, collection.name)
      : {
          kind: 'collection' as const,
          title: collection.name,
          collection: collection.name,
          description: collection.description,
          pictures: items,
        }
  return { listing, subject, readAt: Date.now() }
}
