import * as api from '@/lib/api/items'
import { route, serve } from '@/lib/http/serve'
import { listPublicItems } from '@/lib/items/list-items'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(serve(api.listPublicItems, (ctx, { query }) => listPublicItems(ctx, query)))
