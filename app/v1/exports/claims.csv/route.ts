import * as api from '@/lib/api/exports'
import { exportClaims } from '@/lib/exports/export-claims'
import { route, serve } from '@/lib/http/serve'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(serve(api.exportEmailClaims, async (ctx, { query }) => exportClaims(ctx, query)))
