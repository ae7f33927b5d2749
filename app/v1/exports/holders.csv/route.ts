import * as api from '@/lib/api/exports'
import { exportHolders } from '@/lib/exports/export-holders'
import { route, serve } from '@/lib/http/serve'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(serve(api.exportHolders, async (ctx, { query }) => exportHolders(ctx, query)))
