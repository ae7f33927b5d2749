import * as api from '@/lib/platform/api/exports'
import { exportHolders } from '@/lib/data/exports/export-holders'
import { route, serve } from '@/lib/platform/http/serve'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.exportHolders, async (ctx, { query }) => exportHolders(ctx, query)),
)
