import * as api from '@/lib/api/collections'
import { listPublicCollections } from '@/lib/collections/list-collections'
import { route, serve } from '@/lib/http/serve'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.listPublicCollections, (ctx, { query }) => listPublicCollections(ctx, query)),
)
