import * as api from '@/lib/platform/api/purchase-decisions'
import { route, serve } from '@/lib/platform/http/serve'
import { resolvePurchase } from '@/lib/selling/purchases/resolve-purchase'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.resolvePurchaseIntent, (ctx, { params, body }) => resolvePurchase(ctx, params.purchase_intent_id, body)),
)
