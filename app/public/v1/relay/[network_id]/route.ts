import * as api from '@/lib/platform/api/history'
import { route, serve } from '@/lib/platform/http/serve'
import { relay } from '@/lib/offers/networks/relay'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.relay, (ctx, { params, body }) => relay(ctx, params.network_id, body)),
)
