import * as api from '../platform/api/changes.ts'
import { waitForClaim } from '../giving/wait-for-claim.ts'
import { waitForListing } from '../offers/listings/wait-for-listing.ts'
import { waitForTransfer } from '../onchain/transfers/wait-for-transfer.ts'
import { serve } from '../platform/http/serve.ts'
import { waitForPurchase } from '../selling/purchases/wait-for-purchase.ts'

export const handlers = {
  waitForListing: serve(api.waitForListing, (ctx, { params, query }) => waitForListing(ctx, params.listing_id, query)),
  waitForClaim: serve(api.waitForClaim, (ctx, { query }) => waitForClaim(ctx, query)),
  waitForTransfer: serve(api.waitForTransfer, (ctx, { params, query }) =>
    waitForTransfer(ctx, params.transfer_id, query),
  ),
  waitForPurchase: serve(api.waitForPurchase, (ctx, { params, query }) =>
    waitForPurchase(ctx, params.purchase_intent_id, query),
  ),
}
