import * as api from '@/lib/api/collections'
import { revealCollection } from '@/lib/collections/reveal-collection'
import { route, serve } from '@/lib/http/serve'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(serve(api.revealCollection, (ctx, { params }) => revealCollection(ctx, params.collection_id)))
