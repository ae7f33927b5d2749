import * as api from '@/lib/api/transactions'
import { route, serve } from '@/lib/http/serve'
import { getTransaction } from '@/lib/transactions/get-transaction'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(serve(api.getTransaction, (ctx, { params }) => getTransaction(ctx, params.transaction_id)))
