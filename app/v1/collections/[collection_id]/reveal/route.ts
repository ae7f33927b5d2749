import * as api from '@/lib/platform/api/reveals'
import { revealCollection } from '@/lib/catalog/collections/reveal-collection'
import { route, serve } from '@/lib/platform/http/serve'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.revealCollection, (ctx, { params }) => revealCollection(ctx, params.collection_id)),
)
