import * as api from '@/lib/platform/api/imports'
import { route, serve } from '@/lib/platform/http/serve'
import { importItems } from '@/lib/data/imports/import-items'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.importItems, (ctx, { body }) => importItems(ctx, body)),
)
