import * as api from '../platform/api/mint-requests.ts'
import { getMint } from '../onchain/mints/get-mint.ts'
import { listMints } from '../onchain/mints/list-mints.ts'
import { requestMints } from '../onchain/mints/request-mints.ts'
import { serve } from '../platform/http/serve.ts'

export const handlers = [
  serve(api.listMintRequests, (ctx, { query }) => listMints(ctx, query)),
  serve(api.createMintRequests, (ctx, { body }) => requestMints(ctx, body)),
  serve(api.getMintRequest, (ctx, { params }) => getMint(ctx, params.transaction_id)),
]
