import * as api from '../platform/api/item-types.ts'
import { createItemType } from '../catalog/item-types/create-item-type.ts'
import { deleteItemType } from '../catalog/item-types/delete-item-type.ts'
import { getItemType } from '../catalog/item-types/get-item-type.ts'
import { listItemTypes } from '../catalog/item-types/list-item-types.ts'
import { updateItemType } from '../catalog/item-types/update-item-type.ts'
import { serve } from '../platform/http/serve.ts'

export const handlers = {
  listItemTypes: serve(api.listItemTypes, (ctx, { query }) => listItemTypes(ctx, query)),
  createItemType: serve(api.createItemType, (ctx, { body }) => createItemType(ctx, body)),
  getItemType: serve(api.getItemType, (ctx, { params }) => getItemType(ctx, params.item_type_id)),
  updateItemType: serve(api.updateItemType, (ctx, { params, body }) => updateItemType(ctx, params.item_type_id, body)),
  deleteItemType: serve(api.deleteItemType, (ctx, { params }) => deleteItemType(ctx, params.item_type_id)),
}
