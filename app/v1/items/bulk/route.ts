import * as api from '@/lib/platform/api/items'
import { route, serve } from '@/lib/platform/http/serve'
import { createItems } from '@/lib/catalog/items/create-items'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.createItems, (ctx, { body }) => createItems(ctx, body)),
)
