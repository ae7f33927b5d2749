import * as api from '@/lib/api/search'
import { route, serve } from '@/lib/http/serve'
import { search } from '@/lib/organizations/search'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(serve(api.search, (ctx, { query }) => search(ctx, query)))
