import { cache } from 'react'
import { anyone } from '@/app/claim/anyone'
import { GET as getListing } from '@/app/public/v1/listings/[listing_id]/route'
import { getFromPage } from '@/app/public/get-from-page'
import type { ListingView } from '@/components/checkout/listing'
import { now } from '@/lib/core/clock'
import { getOffered } from '@/lib/offers/listings/get-offered'

/** A listing as the public endpoint returns it, called in process, and what it sells; null where there is none. */
export const readOffer = cache(async (listingId: string) => {
  const path = `/public/v1/listings/${encodeURIComponent(listingId)}`
  const listing = await getFromPage<ListingView>(getListing, path, { listing_id: listingId })
  if (!listing) return null
  return { listing, offered: await getOffered(await anyone(), listing.id), readAt: now().getTime() }
})
