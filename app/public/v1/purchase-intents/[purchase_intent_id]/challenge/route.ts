import * as api from '@/lib/platform/api/purchase-challenges'
import { route, serve } from '@/lib/platform/http/serve'
import { getAddressChallenge } from '@/lib/selling/purchases/get-address-challenge'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.getAddressChallenge, (ctx, { params, query }) =>
    getAddressChallenge(ctx, params.purchase_intent_id, query),
  ),
)
