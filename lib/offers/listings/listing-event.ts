import type { Listing } from '../../../generated/prisma/client.ts'

type Told = Pick<
  Listing,
  | 'id'
  | 'itemId'
  | 'collectionId'
  | 'campaignId'
  | 'status'
  | 'currency'
  | 'quantityListed'
  | 'quantityConfirmed'
  | 'paymentProviders'
> & { price: Listing['price'] | bigint }

/** A listing in events and in the audit log. */
export const listingEventOf = (listing: Told) => ({
  listing_id: listing.id,
  item_id: listing.itemId,
  collection_id: listing.collectionId,
  campaign_id: listing.campaignId,
  status: listing.status,
  price: typeof listing.price === 'bigint' ? listing.price.toString() : listing.price.toFixed(),
  currency: listing.currency,
  quantity_listed: listing.quantityListed,
  quantity_confirmed: listing.quantityConfirmed,
  payment_providers: listing.paymentProviders,
})
