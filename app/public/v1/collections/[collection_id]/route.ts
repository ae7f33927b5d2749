import * as api from '@/lib/api/collections'
import { getPublicCollection } from '@/lib/collections/get-collection'
import { route, serve } from '@/lib/http/serve'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.getPublicCollection, (ctx, { params }) => getPublicCollection(ctx, params.collection_id)),
)
