import * as api from '@/lib/api/items'
import { route, serve } from '@/lib/http/serve'
import { createItem } from '@/lib/items/create-item'
import { listItems } from '@/lib/items/list-items'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.listItems, (ctx, { query }) => listItems(ctx, query)),
  serve(api.createItem, (ctx, { body }) => createItem(ctx, body)),
)
