import * as api from '@/lib/platform/api/listings'
import { route, serve } from '@/lib/platform/http/serve'
import { cancelListing } from '@/lib/offers/listings/cancel-listing'
import { getListing } from '@/lib/offers/listings/get-listing'
import { updateListing } from '@/lib/offers/listings/update-listing'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.getListing, (ctx, { params }) => getListing(ctx, params.listing_id)),
  serve(api.updateListing, (ctx, { params, body }) => updateListing(ctx, params.listing_id, body)),
  serve(api.cancelListing, (ctx, { params }) => cancelListing(ctx, params.listing_id)),
)
