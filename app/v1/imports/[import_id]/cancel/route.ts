import * as api from '@/lib/platform/api/imports'
import { route, serve } from '@/lib/platform/http/serve'
import { cancelImport } from '@/lib/data/imports/cancel-import'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.cancelImport, (ctx, { params }) => cancelImport(ctx, params.import_id)),
)
