import * as api from '@/lib/platform/api/items'
import { route, serve } from '@/lib/platform/http/serve'
import { lockItems } from '@/lib/catalog/items/lock-items'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.lockItems, (ctx, { body }) => lockItems(ctx, body)),
)
