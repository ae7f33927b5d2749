import * as api from '../platform/api/transactions.ts'
import { cancelTransaction } from '../onchain/transactions/cancel-transaction.ts'
import { getTransaction } from '../onchain/transactions/get-transaction.ts'
import { listTransactions } from '../onchain/transactions/list-transactions.ts'
import { serve } from '../platform/http/serve.ts'

export const handlers = {
  listTransactions: serve(api.listTransactions, (ctx, { query }) => listTransactions(ctx, query)),
  getTransaction: serve(api.getTransaction, (ctx, { params }) => getTransaction(ctx, params.transaction_id)),
  cancelTransaction: serve(api.cancelTransaction, (ctx, { params }) => cancelTransaction(ctx, params.transaction_id)),
}
