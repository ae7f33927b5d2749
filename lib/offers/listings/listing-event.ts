import type { Listing } from '../../../generated/prisma/client.ts'

/** A listing in events and in the audit log. */
export const listingEventOf = (listing: Listing) => ({
  listing_id: listing.id,
  item_id: listing.itemId,
  collection_id: listing.collectionId,
  campaign_id: listing.campaignId,
  status: listing.status,
  price: listing.price.toFixed(),
  currency: listing.currency,
  quantity_listed: listing.quantityListed,
  quantity_confirmed: listing.quantityConfirmed,
  payment_providers: listing.paymentProviders,
})
