import * as api from '@/lib/platform/api/history'
import { route, serve } from '@/lib/platform/http/serve'
import { tokenMetadata } from '@/lib/catalog/items/token-metadata'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.tokenMetadata, (ctx, { params }) => tokenMetadata(ctx, params.collection_id, params.token_id)),
)
