import * as api from '@/lib/api/transactions'
import { route, serve } from '@/lib/http/serve'
import { cancelTransaction } from '@/lib/transactions/cancel-transaction'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(serve(api.cancelTransaction, (ctx, { params }) => cancelTransaction(ctx, params.transaction_id)))
