import * as api from '@/lib/platform/api/listings'
import { route, serve } from '@/lib/platform/http/serve'
import { createListing } from '@/lib/offers/listings/create-listing'
import { listListings } from '@/lib/offers/listings/list-listings'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.listListings, (ctx, { query }) => listListings(ctx, query)),
  serve(api.createListing, (ctx, { body }) => createListing(ctx, body)),
)
