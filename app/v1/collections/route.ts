import * as api from '@/lib/platform/api/collections'
import { createCollection } from '@/lib/catalog/collections/create-collection'
import { listCollections } from '@/lib/catalog/collections/list-collections'
import { route, serve } from '@/lib/platform/http/serve'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.listCollections, (ctx, { query }) => listCollections(ctx, query)),
  serve(api.createCollection, (ctx, { body }) => createCollection(ctx, body)),
)
