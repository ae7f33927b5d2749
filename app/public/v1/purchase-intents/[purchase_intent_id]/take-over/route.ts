import * as api from '@/lib/platform/api/purchase-challenges'
import { route, serve } from '@/lib/platform/http/serve'
import { takeOverPurchase } from '@/lib/selling/purchases/take-over-purchase'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.takeOverPurchaseIntent, (ctx, { params, body }) => takeOverPurchase(ctx, params.purchase_intent_id, body)),
)
