import * as api from '@/lib/platform/api/purchase-decisions'
import { route, serve } from '@/lib/platform/http/serve'
import { refundPurchase } from '@/lib/selling/purchases/refund-purchase'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.refundPurchaseIntent, (ctx, { params }) => refundPurchase(ctx, params.purchase_intent_id)),
)
