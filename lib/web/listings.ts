import * as api from '../platform/api/listings.ts'
import { cancelListing } from '../offers/listings/cancel-listing.ts'
import { createListing } from '../offers/listings/create-listing.ts'
import { getEligibility } from '../offers/listings/get-eligibility.ts'
import { getListing, getPublicListing } from '../offers/listings/get-listing.ts'
import { listListings, listPublicListings } from '../offers/listings/list-listings.ts'
import { updateListing } from '../offers/listings/update-listing.ts'
import { publicListing } from '../offers/listings/public-listing.ts'
import { keptGet } from '../platform/http/hot/kept-get.ts'
import { serve } from '../platform/http/serve.ts'

export const handlers = {
  listListings: serve(api.listListings, (ctx, { query }) => listListings(ctx, query)),
  createListing: serve(api.createListing, (ctx, { body }) => createListing(ctx, body)),
  getListing: serve(api.getListing, (ctx, { params }) => getListing(ctx, params.listing_id)),
  updateListing: serve(api.updateListing, (ctx, { params, body }) => updateListing(ctx, params.listing_id, body)),
  cancelListing: serve(api.cancelListing, (ctx, { params }) => cancelListing(ctx, params.listing_id)),
  listPublicListings: serve(api.listPublicListings, (ctx, { query }) => listPublicListings(ctx, query)),
  getEligibility: serve(api.getEligibility, (ctx, { query }) => getEligibility(ctx, query)),
  getPublicListing: serve(api.getPublicListing, (ctx, { params }) => getPublicListing(ctx, params.listing_id), {
    direct: keptGet(api.getPublicListing, publicListing),
  }),
}
