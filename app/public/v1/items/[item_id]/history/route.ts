import * as api from '@/lib/api/history'
import { listHistory } from '@/lib/history/list-history'
import { route, serve } from '@/lib/http/serve'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(serve(api.listHistory, (ctx, { params, query }) => listHistory(ctx, params.item_id, query)))
