import * as api from '@/lib/api/exports'
import { exportPurchases } from '@/lib/exports/export-purchases'
import { route, serve } from '@/lib/http/serve'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(serve(api.exportPurchases, async (ctx, { query }) => exportPurchases(ctx, query)))
