import * as api from '@/lib/platform/api/api-keys'
import { createApiKey } from '@/lib/records/api-keys/create-api-key'
import { listApiKeys } from '@/lib/records/api-keys/list-api-keys'
import { route, serve } from '@/lib/platform/http/serve'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.listApiKeys, (ctx, { query }) => listApiKeys(ctx, query)),
  serve(api.createApiKey, (ctx, { body }) => createApiKey(ctx, body)),
)
