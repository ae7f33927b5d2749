import * as api from '@/lib/api/history'
import { collectionStats } from '@/lib/collections/collection-stats'
import { route, serve } from '@/lib/http/serve'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(serve(api.collectionStats, (ctx, { params }) => collectionStats(ctx, params.collection_id)))
