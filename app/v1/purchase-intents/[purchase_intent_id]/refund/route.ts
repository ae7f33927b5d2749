import * as api from '@/lib/api/purchases'
import { route, serve } from '@/lib/http/serve'
import { refundPurchase } from '@/lib/purchases/refund-purchase'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(serve(api.refundPurchaseIntent, (ctx, { params }) => refundPurchase(ctx, params.purchase_intent_id)))
