import * as api from '@/lib/api/purchases'
import { route, serve } from '@/lib/http/serve'
import { getPurchaseView } from '@/lib/purchases/get-purchase-view'
import { giveUpPurchase } from '@/lib/purchases/give-up-purchase'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.getPurchaseIntent, (ctx, { params }) => getPurchaseView(ctx, params.purchase_intent_id)),
  serve(api.giveUpPurchaseIntent, (ctx, { params }) => giveUpPurchase(ctx, params.purchase_intent_id)),
)
