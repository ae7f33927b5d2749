import * as api from '@/lib/api/history'
import { listOwners } from '@/lib/history/list-owners'
import { route, serve } from '@/lib/http/serve'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(serve(api.listOwners, (ctx, { params, query }) => listOwners(ctx, params.item_id, query)))
