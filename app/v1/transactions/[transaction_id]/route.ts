import * as api from '@/lib/platform/api/transactions'
import { route, serve } from '@/lib/platform/http/serve'
import { getTransaction } from '@/lib/onchain/transactions/get-transaction'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.getTransaction, (ctx, { params }) => getTransaction(ctx, params.transaction_id)),
)
