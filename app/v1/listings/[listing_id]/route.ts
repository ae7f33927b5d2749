import * as api from '@/lib/api/listings'
import { route, serve } from '@/lib/http/serve'
import { cancelListing } from '@/lib/listings/cancel-listing'
import { getListing } from '@/lib/listings/get-listing'
import { updateListing } from '@/lib/listings/update-listing'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.getListing, (ctx, { params }) => getListing(ctx, params.listing_id)),
  serve(api.updateListing, (ctx, { params, body }) => updateListing(ctx, params.listing_id, body)),
  serve(api.cancelListing, (ctx, { params }) => cancelListing(ctx, params.listing_id)),
)
