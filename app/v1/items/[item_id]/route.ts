import * as api from '@/lib/api/items'
import { route, serve } from '@/lib/http/serve'
import { deleteItem } from '@/lib/items/delete-item'
import { getItem } from '@/lib/items/get-item'
import { updateItem } from '@/lib/items/update-item'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.getItem, (ctx, { params }) => getItem(ctx, params.item_id)),
  serve(api.updateItem, (ctx, { params, body }) => updateItem(ctx, params.item_id, body)),
  serve(api.deleteItem, (ctx, { params }) => deleteItem(ctx, params.item_id)),
)
