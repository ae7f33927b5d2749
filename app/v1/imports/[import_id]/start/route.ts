import * as api from '@/lib/platform/api/imports'
import { route, serve } from '@/lib/platform/http/serve'
import { startImport } from '@/lib/data/imports/start-import'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.startImport, (ctx, { params, body }) => startImport(ctx, params.import_id, body)),
)
