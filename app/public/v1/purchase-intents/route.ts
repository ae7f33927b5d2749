import * as api from '@/lib/api/purchases'
import { route, serve } from '@/lib/http/serve'
import { createPurchase } from '@/lib/purchases/create-purchase'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(serve(api.createPurchaseIntent, (ctx, { body }) => createPurchase(ctx, body)))
