import * as api from '@/lib/platform/api/exports'
import { exportItems } from '@/lib/data/exports/export-items'
import { route, serve } from '@/lib/platform/http/serve'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.exportItems, async (ctx, { query }) => exportItems(ctx, query)),
)
