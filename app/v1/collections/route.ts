import * as api from '@/lib/api/collections'
import { createCollection } from '@/lib/collections/create-collection'
import { listCollections } from '@/lib/collections/list-collections'
import { route, serve } from '@/lib/http/serve'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.listCollections, (ctx, { query }) => listCollections(ctx, query)),
  serve(api.createCollection, (ctx, { body }) => createCollection(ctx, body)),
)
