import * as api from '../platform/api/purchase-challenges.ts'
import { serve } from '../platform/http/serve.ts'
import { getAddressChallenge } from '../selling/purchases/get-address-challenge.ts'
import { getChallenge } from '../selling/purchases/get-challenge.ts'
import { takeOverPurchase } from '../selling/purchases/take-over-purchase.ts'

export const handlers = {
  getChallenge: serve(api.getChallenge, (ctx, { params }) => getChallenge(ctx, params.listing_id)),
  getAddressChallenge: serve(api.getAddressChallenge, (ctx, { params, query }) =>
    getAddressChallenge(ctx, params.purchase_intent_id, query),
  ),
  takeOverPurchaseIntent: serve(api.takeOverPurchaseIntent, (ctx, { params, body }) =>
    takeOverPurchase(ctx, params.purchase_intent_id, body),
  ),
}
