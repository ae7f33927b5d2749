import * as api from '@/lib/api/api-keys'
import { getApiKey } from '@/lib/api-keys/get-api-key'
import { revokeApiKey } from '@/lib/api-keys/revoke-api-key'
import { route, serve } from '@/lib/http/serve'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.getApiKey, (ctx, { params }) => getApiKey(ctx, params.api_key_id)),
  serve(api.revokeApiKey, (ctx, { params }) => revokeApiKey(ctx, params.api_key_id)),
)
