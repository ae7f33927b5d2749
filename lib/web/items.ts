import * as api from '../platform/api/items.ts'
import { createItem } from '../catalog/items/create-item.ts'
import { createItems } from '../catalog/items/create-items.ts'
import { deleteItem } from '../catalog/items/delete-item.ts'
import { getItem, getPublicItem } from '../catalog/items/get-item.ts'
import { listItemHolds } from '../catalog/items/list-item-holds.ts'
import { listItems, listPublicItems } from '../catalog/items/list-items.ts'
import { lockItems } from '../catalog/items/lock-items.ts'
import { updateItem } from '../catalog/items/update-item.ts'
import { publicItem } from '../catalog/items/public-item.ts'
import { publicItems } from '../catalog/items/public-items.ts'
import { keptGet } from '../platform/http/hot/kept-get.ts'
import { serve } from '../platform/http/serve.ts'

export const handlers = {
  listItems: serve(api.listItems, (ctx, { query }) => listItems(ctx, query)),
  createItem: serve(api.createItem, (ctx, { body }) => createItem(ctx, body)),
  createItems: serve(api.createItems, (ctx, { body }) => createItems(ctx, body)),
  lockItems: serve(api.lockItems, (ctx, { body }) => lockItems(ctx, body)),
  getItem: serve(api.getItem, (ctx, { params }) => getItem(ctx, params.item_id)),
  updateItem: serve(api.updateItem, (ctx, { params, body }) => updateItem(ctx, params.item_id, body)),
  deleteItem: serve(api.deleteItem, (ctx, { params }) => deleteItem(ctx, params.item_id)),
  listItemHolds: serve(api.listItemHolds, (ctx, { params, query }) => listItemHolds(ctx, params.item_id, query)),
  listPublicItems: serve(api.listPublicItems, (ctx, { query }) => listPublicItems(ctx, query), {
    direct: keptGet(api.listPublicItems, ...publicItems),
  }),
  getPublicItem: serve(api.getPublicItem, (ctx, { params }) => getPublicItem(ctx, params.item_id), {
    direct: keptGet(api.getPublicItem, publicItem),
  }),
}
