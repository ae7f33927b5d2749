import * as api from '@/lib/platform/api/purchases'
import { route, serve } from '@/lib/platform/http/serve'
import { closePurchase } from '@/lib/selling/purchases/close-purchase'
import { getPurchaseView } from '@/lib/selling/purchases/get-purchase-view'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.getPurchaseIntent, (ctx, { params }) => getPurchaseView(ctx, params.purchase_intent_id)),
  serve(api.giveUpPurchaseIntent, (ctx, { params, query }) => closePurchase(ctx, params.purchase_intent_id, query)),
)
