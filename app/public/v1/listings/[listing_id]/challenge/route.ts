import * as api from '@/lib/api/purchases'
import { route, serve } from '@/lib/http/serve'
import { getChallenge } from '@/lib/purchases/get-challenge'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(serve(api.getChallenge, (ctx, { params, query }) => getChallenge(ctx, params.listing_id, query)))
