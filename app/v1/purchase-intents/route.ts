import * as api from '@/lib/platform/api/purchases'
import { route, serve } from '@/lib/platform/http/serve'
import { listPurchases } from '@/lib/selling/purchases/list-purchases'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.listPurchaseIntents, (ctx, { query }) => listPurchases(ctx, query)),
)
