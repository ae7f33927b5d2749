import * as api from '@/lib/platform/api/purchases'
import { route, serve } from '@/lib/platform/http/serve'
import { getPurchaseView } from '@/lib/selling/purchases/get-purchase-view'
import { giveUpPurchase } from '@/lib/selling/purchases/give-up-purchase'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.getPurchaseIntent, (ctx, { params }) => getPurchaseView(ctx, params.purchase_intent_id)),
  serve(api.giveUpPurchaseIntent, (ctx, { params }) => giveUpPurchase(ctx, params.purchase_intent_id)),
)
