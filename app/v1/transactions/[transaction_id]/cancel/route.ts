import * as api from '@/lib/platform/api/transactions'
import { route, serve } from '@/lib/platform/http/serve'
import { cancelTransaction } from '@/lib/onchain/transactions/cancel-transaction'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.cancelTransaction, (ctx, { params }) => cancelTransaction(ctx, params.transaction_id)),
)
