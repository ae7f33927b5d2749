import * as api from '@/lib/api/imports'
import { route, serve } from '@/lib/http/serve'
import { getImport } from '@/lib/imports/get-import'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(serve(api.getImport, (ctx, { params }) => getImport(ctx, params.import_id)))
