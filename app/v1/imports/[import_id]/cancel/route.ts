import * as api from '@/lib/api/imports'
import { route, serve } from '@/lib/http/serve'
import { cancelImport } from '@/lib/imports/cancel-import'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(serve(api.cancelImport, (ctx, { params }) => cancelImport(ctx, params.import_id)))
