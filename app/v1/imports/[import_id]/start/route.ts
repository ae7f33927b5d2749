import * as api from '@/lib/api/imports'
import { route, serve } from '@/lib/http/serve'
import { startImport } from '@/lib/imports/start-import'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(serve(api.startImport, (ctx, { params, body }) => startImport(ctx, params.import_id, body)))
