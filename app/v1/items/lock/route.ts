import * as api from '@/lib/api/items'
import { route, serve } from '@/lib/http/serve'
import { lockItems } from '@/lib/items/lock-items'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(serve(api.lockItems, (ctx, { body }) => lockItems(ctx, body)))
