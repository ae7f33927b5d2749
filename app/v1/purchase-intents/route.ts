import * as api from '@/lib/api/purchases'
import { route, serve } from '@/lib/http/serve'
import { listPurchases } from '@/lib/purchases/list-purchases'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(serve(api.listPurchaseIntents, (ctx, { query }) => listPurchases(ctx, query)))
