import * as api from '@/lib/platform/api/history'
import { listOwners } from '@/lib/onchain/history/list-owners'
import { route, serve } from '@/lib/platform/http/serve'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.listOwners, (ctx, { params, query }) => listOwners(ctx, params.item_id, query)),
)
