import * as api from '@/lib/platform/api/items'
import { route, serve } from '@/lib/platform/http/serve'
import { deleteItem } from '@/lib/catalog/items/delete-item'
import { getItem } from '@/lib/catalog/items/get-item'
import { updateItem } from '@/lib/catalog/items/update-item'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.getItem, (ctx, { params }) => getItem(ctx, params.item_id)),
  serve(api.updateItem, (ctx, { params, body }) => updateItem(ctx, params.item_id, body)),
  serve(api.deleteItem, (ctx, { params }) => deleteItem(ctx, params.item_id)),
)
