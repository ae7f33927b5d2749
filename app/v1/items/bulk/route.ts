import * as api from '@/lib/api/items'
import { route, serve } from '@/lib/http/serve'
import { createItems } from '@/lib/items/create-items'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(serve(api.createItems, (ctx, { body }) => createItems(ctx, body)))
