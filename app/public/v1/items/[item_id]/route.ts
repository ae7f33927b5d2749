import * as api from '@/lib/platform/api/items'
import { route, serve } from '@/lib/platform/http/serve'
import { getPublicItem } from '@/lib/catalog/items/get-item'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.getPublicItem, (ctx, { params }) => getPublicItem(ctx, params.item_id)),
)
