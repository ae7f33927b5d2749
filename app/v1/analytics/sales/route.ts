import { countSales } from '@/lib/data/analytics/count-sales'
import * as api from '@/lib/platform/api/analytics'
import { route, serve } from '@/lib/platform/http/serve'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.countSales, (ctx, { query }) => countSales(ctx, query)),
)
