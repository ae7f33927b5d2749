import * as api from '@/lib/api/mint-requests'
import { route, serve } from '@/lib/http/serve'
import { getMint } from '@/lib/mints/get-mint'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(serve(api.getMintRequest, (ctx, { params }) => getMint(ctx, params.transaction_id)))
