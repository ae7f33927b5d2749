import * as api from '@/lib/platform/api/items'
import { route, serve } from '@/lib/platform/http/serve'
import { listItemHolds } from '@/lib/catalog/items/list-item-holds'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.listItemHolds, (ctx, { params, query }) => listItemHolds(ctx, params.item_id, query)),
)
