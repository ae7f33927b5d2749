import * as api from '@/lib/platform/api/reveals'
import { getReveal } from '@/lib/catalog/collections/get-reveal'
import { route, serve } from '@/lib/platform/http/serve'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.getReveal, (ctx, { params }) => getReveal(ctx, params.collection_id)),
)
