import * as api from '@/lib/api/api-keys'
import { createApiKey } from '@/lib/api-keys/create-api-key'
import { listApiKeys } from '@/lib/api-keys/list-api-keys'
import { route, serve } from '@/lib/http/serve'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.listApiKeys, (ctx, { query }) => listApiKeys(ctx, query)),
  serve(api.createApiKey, (ctx, { body }) => createApiKey(ctx, body)),
)
