import * as api from '@/lib/platform/api/history'
import { contractMetadata } from '@/lib/catalog/collections/contract-metadata'
import { route, serve } from '@/lib/platform/http/serve'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.contractMetadata, (ctx, { params }) => contractMetadata(ctx, params.collection_id)),
)
