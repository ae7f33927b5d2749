import * as api from '@/lib/api/imports'
import { route, serve } from '@/lib/http/serve'
import { importClaims } from '@/lib/imports/import-claims'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(serve(api.importEmailClaims, (ctx, { body }) => importClaims(ctx, body)))
