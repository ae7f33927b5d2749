import * as api from '@/lib/platform/api/exports'
import { exportPurchases } from '@/lib/data/exports/export-purchases'
import { route, serve } from '@/lib/platform/http/serve'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.exportPurchases, async (ctx, { query }) => exportPurchases(ctx, query)),
)
