import * as api from '@/lib/platform/api/collections'
import { getPublicCollection } from '@/lib/catalog/collections/get-collection'
import { route, serve } from '@/lib/platform/http/serve'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.getPublicCollection, (ctx, { params }) => getPublicCollection(ctx, params.collection_id)),
)
