import * as api from '@/lib/api/imports'
import { route, serve } from '@/lib/http/serve'
import { getImportResult } from '@/lib/imports/get-import-result'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(serve(api.getImportResult, (ctx, { params }) => getImportResult(ctx, params.import_id)))
