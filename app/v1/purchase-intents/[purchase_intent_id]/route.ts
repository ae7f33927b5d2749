import * as api from '@/lib/api/purchases'
import { route, serve } from '@/lib/http/serve'
import { getPurchase } from '@/lib/purchases/get-purchase'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(serve(api.getAdminPurchaseIntent, (ctx, { params }) => getPurchase(ctx, params.purchase_intent_id)))
