import * as api from '@/lib/platform/api/imports'
import { route, serve } from '@/lib/platform/http/serve'
import { getImportResult } from '@/lib/data/imports/get-import-result'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.getImportResult, (ctx, { params }) => getImportResult(ctx, params.import_id)),
)
