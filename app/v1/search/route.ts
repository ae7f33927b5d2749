import * as api from '@/lib/platform/api/search'
import { route, serve } from '@/lib/platform/http/serve'
import { search } from '@/lib/data/search/search'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.search, (ctx, { query }) => search(ctx, query)),
)
