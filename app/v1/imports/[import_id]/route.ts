import * as api from '@/lib/platform/api/imports'
import { route, serve } from '@/lib/platform/http/serve'
import { getImport } from '@/lib/data/imports/get-import'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.getImport, (ctx, { params }) => getImport(ctx, params.import_id)),
)
