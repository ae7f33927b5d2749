import * as api from '@/lib/platform/api/transactions'
import { route, serve } from '@/lib/platform/http/serve'
import { listTransactions } from '@/lib/onchain/transactions/list-transactions'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.listTransactions, (ctx, { query }) => listTransactions(ctx, query)),
)
