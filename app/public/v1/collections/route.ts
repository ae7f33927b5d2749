import * as api from '@/lib/platform/api/collections'
import { listPublicCollections } from '@/lib/catalog/collections/list-collections'
import { route, serve } from '@/lib/platform/http/serve'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.listPublicCollections, (ctx, { query }) => listPublicCollections(ctx, query)),
)
