import { countSales } from '@/lib/analytics/count-sales'
import * as api from '@/lib/api/analytics'
import { route, serve } from '@/lib/http/serve'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(serve(api.countSales, (ctx, { query }) => countSales(ctx, query)))
