import * as api from '@/lib/platform/api/history'
import { route, serve } from '@/lib/platform/http/serve'
import { listNetworks } from '@/lib/offers/networks/list-networks'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.listNetworks, (ctx, { query }) => listNetworks(ctx, query)),
)
