import * as api from '@/lib/platform/api/mint-requests'
import { route, serve } from '@/lib/platform/http/serve'
import { getMint } from '@/lib/onchain/mints/get-mint'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.getMintRequest, (ctx, { params }) => getMint(ctx, params.transaction_id)),
)
