import * as api from '@/lib/platform/api/purchases'
import { route, serve } from '@/lib/platform/http/serve'
import { getChallenge } from '@/lib/selling/purchases/get-challenge'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.getChallenge, (ctx, { params }) => getChallenge(ctx, params.listing_id)),
)
