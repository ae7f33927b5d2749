import * as api from '@/lib/platform/api/items'
import { route, serve } from '@/lib/platform/http/serve'
import { listPublicItems } from '@/lib/catalog/items/list-items'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.listPublicItems, (ctx, { query }) => listPublicItems(ctx, query)),
)
