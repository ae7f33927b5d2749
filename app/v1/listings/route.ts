import * as api from '@/lib/api/listings'
import { route, serve } from '@/lib/http/serve'
import { createListing } from '@/lib/listings/create-listing'
import { listListings } from '@/lib/listings/list-listings'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.listListings, (ctx, { query }) => listListings(ctx, query)),
  serve(api.createListing, (ctx, { body }) => createListing(ctx, body)),
)
