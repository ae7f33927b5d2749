import type { Listing } from '../../../generated/prisma/client.ts'

/** What events and the audit log say of a listing. */
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
