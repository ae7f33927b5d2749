import * as api from '@/lib/platform/api/mint-requests'
import { route, serve } from '@/lib/platform/http/serve'
import { listMints } from '@/lib/onchain/mints/list-mints'
import { requestMints } from '@/lib/onchain/mints/request-mints'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.listMintRequests, (ctx, { query }) => listMints(ctx, query)),
  serve(api.createMintRequests, (ctx, { body }) => requestMints(ctx, body)),
)
