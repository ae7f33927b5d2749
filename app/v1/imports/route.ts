import * as api from '@/lib/platform/api/imports'
import { route, serve } from '@/lib/platform/http/serve'
import { listImports } from '@/lib/data/imports/list-imports'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.listImports, (ctx, { query }) => listImports(ctx, query)),
)
