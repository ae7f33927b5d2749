import * as api from '@/lib/api/imports'
import { route, serve } from '@/lib/http/serve'
import { listImportRows } from '@/lib/imports/list-import-rows'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(serve(api.listImportRows, (ctx, { params, query }) => listImportRows(ctx, params.import_id, query)))
