import * as api from '@/lib/api/history'
import { contractMetadata } from '@/lib/collections/contract-metadata'
import { route, serve } from '@/lib/http/serve'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(serve(api.contractMetadata, (ctx, { params }) => contractMetadata(ctx, params.collection_id)))
