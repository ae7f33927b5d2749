import * as api from '@/lib/api/listings'
import { route, serve } from '@/lib/http/serve'
import { listPublicListings } from '@/lib/listings/list-listings'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(serve(api.listPublicListings, (ctx, { query }) => listPublicListings(ctx, query)))
