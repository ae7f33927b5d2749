import * as api from '../platform/api/mint-requests.ts'
import { getMint } from '../onchain/mints/get-mint.ts'
import { listMints } from '../onchain/mints/list-mints.ts'
import { requestMints } from '../onchain/mints/request-mints.ts'
import { serve } from '../platform/http/serve.ts'

export const handlers = {
  listMintRequests: serve(api.listMintRequests, (ctx, { query }) => listMints(ctx, query)),
  createMintRequests: serve(api.createMintRequests, (ctx, { body }) => requestMints(ctx, body)),
  getMintRequest: serve(api.getMintRequest, (ctx, { params }) => getMint(ctx, params.transaction_id)),
}
