import * as budgets from '../platform/api/transfer-budgets.ts'
import * as api from '../platform/api/transfers.ts'
import { retryReturn } from '../onchain/escrows/retry-return.ts'
import { getTransfer } from '../onchain/transfers/get-transfer.ts'
import { getTransferTerms } from '../onchain/transfers/get-transfer-terms.ts'
import { requestTransfer } from '../onchain/transfers/request-transfer.ts'
import { listTransferBudgets } from '../orders/list-transfer-budgets.ts'
import { setTransferBudget } from '../orders/set-transfer-budget.ts'
import { serve } from '../platform/http/serve.ts'

export const handlers = {
  createTransfer: serve(api.createTransfer, (ctx, { body }) => requestTransfer(ctx, body)),
  getTransfer: serve(api.getTransfer, (ctx, { params }) => getTransfer(ctx, params.transfer_id)),
  returnTransfer: serve(api.returnTransfer, (ctx, { params }) => retryReturn(ctx, params.transfer_id)),
  getTransferTerms: serve(api.getTransferTerms, (ctx, { query }) => getTransferTerms(ctx, query)),
  listTransferBudgets: serve(budgets.listTransferBudgets, (ctx) => listTransferBudgets(ctx)),
  setTransferBudget: serve(budgets.setTransferBudget, (ctx, { params, body }) =>
    setTransferBudget(ctx, params.network_id, body),
  ),
}
