import * as api from '@/lib/api/mint-requests'
import { route, serve } from '@/lib/http/serve'
import { listMints } from '@/lib/mints/list-mints'
import { requestMints } from '@/lib/mints/request-mints'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.listMintRequests, (ctx, { query }) => listMints(ctx, query)),
  serve(api.createMintRequests, (ctx, { body }) => requestMints(ctx, body)),
)
