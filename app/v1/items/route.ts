import * as api from '@/lib/platform/api/items'
import { route, serve } from '@/lib/platform/http/serve'
import { createItem } from '@/lib/catalog/items/create-item'
import { listItems } from '@/lib/catalog/items/list-items'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.listItems, (ctx, { query }) => listItems(ctx, query)),
  serve(api.createItem, (ctx, { body }) => createItem(ctx, body)),
)
