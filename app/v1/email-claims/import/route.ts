import * as api from '@/lib/platform/api/imports'
import { route, serve } from '@/lib/platform/http/serve'
import { importClaims } from '@/lib/data/imports/import-claims'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.importEmailClaims, (ctx, { body }) => importClaims(ctx, body)),
)
