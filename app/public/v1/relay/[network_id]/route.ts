import * as api from '@/lib/api/history'
import { route, serve } from '@/lib/http/serve'
import { relay } from '@/lib/networks/relay'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(serve(api.relay, (ctx, { params, body }) => relay(ctx, params.network_id, body)))
