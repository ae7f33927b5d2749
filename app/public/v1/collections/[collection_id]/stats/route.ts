import * as api from '@/lib/platform/api/history'
import { getCollectionStats } from '@/lib/catalog/collections/collection-stats'
import { route, serve } from '@/lib/platform/http/serve'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.collectionStats, (ctx, { params }) => getCollectionStats(ctx, params.collection_id)),
)
