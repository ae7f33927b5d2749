import * as api from '@/lib/platform/api/listings'
import { route, serve } from '@/lib/platform/http/serve'
import { listPublicListings } from '@/lib/offers/listings/list-listings'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.listPublicListings, (ctx, { query }) => listPublicListings(ctx, query)),
)
