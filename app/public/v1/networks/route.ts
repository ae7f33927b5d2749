import * as api from '@/lib/api/history'
import { route, serve } from '@/lib/http/serve'
import { listNetworks } from '@/lib/networks/list-networks'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(serve(api.listNetworks, (ctx, { query }) => listNetworks(ctx, query)))
