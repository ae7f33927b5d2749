import * as api from '../platform/api/purchases.ts'
import { serve } from '../platform/http/serve.ts'
import { closePurchase } from '../selling/purchases/close-purchase.ts'
import { createPurchase } from '../selling/purchases/create-purchase.ts'
import { getPurchase } from '../selling/purchases/get-purchase.ts'
import { getPurchaseView } from '../selling/purchases/get-purchase-view.ts'
import { listPurchases } from '../selling/purchases/list-purchases.ts'
import { whereNotSold } from '../selling/purchases/where-not-sold.ts'

export const handlers = {
  listPurchaseIntents: serve(api.listPurchaseIntents, (ctx, { query }) => listPurchases(ctx, query)),
  getAdminPurchaseIntent: serve(api.getAdminPurchaseIntent, (ctx, { params }) =>
    getPurchase(ctx, params.purchase_intent_id),
  ),
  createPurchaseIntent: serve(api.createPurchaseIntent, createPurchase, { refusal: whereNotSold }),
  getPurchaseIntent: serve(api.getPurchaseIntent, (ctx, { params }) => getPurchaseView(ctx, params.purchase_intent_id)),
  giveUpPurchaseIntent: serve(api.giveUpPurchaseIntent, (ctx, { params, query }) =>
    closePurchase(ctx, params.purchase_intent_id, query),
  ),
}
