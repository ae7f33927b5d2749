import { anyone } from '@/app/claim/anyone'
import { GET as getListing } from '@/app/public/v1/listings/[listing_id]/route'
import { getFromPage } from '@/app/public/get-from-page'
import type { ListingView } from '@/components/checkout/listing'
import type { Subject } from '@/components/checkout/subject'
import { subjectOf } from '@/components/checkout/subject'
import { getOffered } from '@/lib/offers/listings/get-offered'

/** A listing as the public endpoint returns it, called in process, and what it sells; null where there is none. */
export async function readOffer(
  listingId: string,
): Promise<{ listing: ListingView; subject: Subject; readAt: number } | null> {
  const path = `/public/v1/listings/${encodeURIComponent(listingId)}`
  const listing = await getFromPage<ListingView>(getListing, path, { listing_id: listingId })
  if (!listing) return null
  const { isItem, collection, items } = await getOffered(await anyone(), listing.id)
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
