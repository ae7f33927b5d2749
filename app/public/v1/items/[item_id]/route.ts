import * as api from '@/lib/api/items'
import { route, serve } from '@/lib/http/serve'
import { getPublicItem } from '@/lib/items/get-item'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(serve(api.getPublicItem, (ctx, { params }) => getPublicItem(ctx, params.item_id)))
