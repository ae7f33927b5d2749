import * as api from '../platform/api/purchase-decisions.ts'
import { serve } from '../platform/http/serve.ts'
import { refundPurchase } from '../selling/purchases/refund-purchase.ts'
import { resolvePurchase } from '../selling/purchases/resolve-purchase.ts'

export const handlers = {
  refundPurchaseIntent: serve(api.refundPurchaseIntent, (ctx, { params }) =>
    refundPurchase(ctx, params.purchase_intent_id),
  ),
  resolvePurchaseIntent: serve(api.resolvePurchaseIntent, (ctx, { params, body }) =>
    resolvePurchase(ctx, params.purchase_intent_id, body),
  ),
}
