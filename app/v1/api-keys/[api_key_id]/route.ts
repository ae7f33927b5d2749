import * as api from '@/lib/platform/api/api-keys'
import { getApiKey } from '@/lib/records/api-keys/get-api-key'
import { revokeApiKey } from '@/lib/records/api-keys/revoke-api-key'
import { route, serve } from '@/lib/platform/http/serve'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.getApiKey, (ctx, { params }) => getApiKey(ctx, params.api_key_id)),
  serve(api.revokeApiKey, (ctx, { params }) => revokeApiKey(ctx, params.api_key_id)),
)
