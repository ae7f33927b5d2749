import * as api from '@/lib/platform/api/history'
import { listHistory } from '@/lib/onchain/history/list-history'
import { route, serve } from '@/lib/platform/http/serve'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.listHistory, (ctx, { params, query }) => listHistory(ctx, params.item_id, query)),
)
