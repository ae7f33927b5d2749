import * as api from '@/lib/platform/api/item-types'
import { route, serve } from '@/lib/platform/http/serve'
import { deleteItemType } from '@/lib/catalog/item-types/delete-item-type'
import { getItemType } from '@/lib/catalog/item-types/get-item-type'
import { updateItemType } from '@/lib/catalog/item-types/update-item-type'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.getItemType, (ctx, { params }) => getItemType(ctx, params.item_type_id)),
  serve(api.updateItemType, (ctx, { params, body }) => updateItemType(ctx, params.item_type_id, body)),
  serve(api.deleteItemType, (ctx, { params }) => deleteItemType(ctx, params.item_type_id)),
)
