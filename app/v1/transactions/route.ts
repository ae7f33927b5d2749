import * as api from '@/lib/api/transactions'
import { route, serve } from '@/lib/http/serve'
import { listTransactions } from '@/lib/transactions/list-transactions'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(serve(api.listTransactions, (ctx, { query }) => listTransactions(ctx, query)))
