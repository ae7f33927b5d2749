import * as api from '../platform/api/api-keys.ts'
import { serve } from '../platform/http/serve.ts'
import { createApiKey } from '../records/api-keys/create-api-key.ts'
import { getApiKey } from '../records/api-keys/get-api-key.ts'
import { listApiKeys } from '../records/api-keys/list-api-keys.ts'
import { revokeApiKey } from '../records/api-keys/revoke-api-key.ts'

export const handlers = {
  listApiKeys: serve(api.listApiKeys, (ctx, { query }) => listApiKeys(ctx, query)),
  createApiKey: serve(api.createApiKey, (ctx, { body }) => createApiKey(ctx, body)),
  getApiKey: serve(api.getApiKey, (ctx, { params }) => getApiKey(ctx, params.api_key_id)),
  revokeApiKey: serve(api.revokeApiKey, (ctx, { params }) => revokeApiKey(ctx, params.api_key_id)),
}
