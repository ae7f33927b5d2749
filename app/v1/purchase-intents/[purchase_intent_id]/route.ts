import * as api from '@/lib/platform/api/purchases'
import { route, serve } from '@/lib/platform/http/serve'
import { getPurchase } from '@/lib/selling/purchases/get-purchase'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.getAdminPurchaseIntent, (ctx, { params }) => getPurchase(ctx, params.purchase_intent_id)),
)
