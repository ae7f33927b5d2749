import * as api from '@/lib/platform/api/listings'
import { route, serve } from '@/lib/platform/http/serve'
import { getPublicListing } from '@/lib/offers/listings/get-listing'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.getPublicListing, (ctx, { params }) => getPublicListing(ctx, params.listing_id)),
)
