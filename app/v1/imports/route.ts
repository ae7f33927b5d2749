import * as api from '@/lib/api/imports'
import { route, serve } from '@/lib/http/serve'
import { listImports } from '@/lib/imports/list-imports'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(serve(api.listImports, (ctx, { query }) => listImports(ctx, query)))
