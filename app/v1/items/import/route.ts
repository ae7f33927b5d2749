import * as api from '@/lib/api/imports'
import { route, serve } from '@/lib/http/serve'
import { importItems } from '@/lib/imports/import-items'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(serve(api.importItems, (ctx, { body }) => importItems(ctx, body)))
