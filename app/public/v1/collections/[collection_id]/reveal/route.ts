import * as api from '@/lib/api/collections'
import { getReveal } from '@/lib/collections/get-reveal'
import { route, serve } from '@/lib/http/serve'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(serve(api.getReveal, (ctx, { params }) => getReveal(ctx, params.collection_id)))
