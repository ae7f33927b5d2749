import * as api from '@/lib/api/exports'
import { exportItems } from '@/lib/exports/export-items'
import { route, serve } from '@/lib/http/serve'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(serve(api.exportItems, async (ctx, { query }) => exportItems(ctx, query)))
