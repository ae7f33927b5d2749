import * as api from '@/lib/platform/api/collections'
import { deleteCollection } from '@/lib/catalog/collections/delete-collection'
import { getCollection } from '@/lib/catalog/collections/get-collection'
import { updateCollection } from '@/lib/catalog/collections/update-collection'
import { route, serve } from '@/lib/platform/http/serve'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.getCollection, (ctx, { params }) => getCollection(ctx, params.collection_id)),
  serve(api.updateCollection, (ctx, { params, body }) => updateCollection(ctx, params.collection_id, body)),
  serve(api.deleteCollection, (ctx, { params }) => deleteCollection(ctx, params.collection_id)),
)
