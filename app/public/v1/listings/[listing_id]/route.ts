import * as api from '@/lib/api/listings'
import { route, serve } from '@/lib/http/serve'
import { getPublicListing } from '@/lib/listings/get-listing'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(serve(api.getPublicListing, (ctx, { params }) => getPublicListing(ctx, params.listing_id)))
