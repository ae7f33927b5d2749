import * as api from '@/lib/platform/api/exports'
import { exportClaims } from '@/lib/data/exports/export-claims'
import { route, serve } from '@/lib/platform/http/serve'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.exportEmailClaims, async (ctx, { query }) => exportClaims(ctx, query)),
)
