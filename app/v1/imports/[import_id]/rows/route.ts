import * as api from '@/lib/platform/api/imports'
import { route, serve } from '@/lib/platform/http/serve'
import { listImportRows } from '@/lib/data/imports/list-import-rows'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.listImportRows, (ctx, { params, query }) => listImportRows(ctx, params.import_id, query)),
)
