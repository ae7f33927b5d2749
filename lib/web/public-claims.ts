import * as api from '../platform/api/public-claims.ts'
import { getLinkView } from '../giving/get-link-view.ts'
import { declineClaim } from '../giving/decline-claim.ts'
import { checkRecipient } from '../giving/check-recipient.ts'
import { pinProofCookieFor } from '../platform/auth/pin-proof-cookie.ts'
import { handOverClaim } from '../giving/hand-over-claim.ts'
import { openClaim } from '../giving/open-claim.ts'
import { provePin } from '../giving/prove-pin.ts'
import { redeemClaim } from '../giving/redeem-claim.ts'
import { resolveRecipientName } from '../giving/resolve-recipient-name.ts'
import { sendPin } from '../giving/send-pin.ts'
import { serve } from '../platform/http/serve.ts'

export const handlers = {
  getClaimView: serve(api.getClaimView, (ctx, { params }) => getLinkView(ctx, params.claim_token), {
    auth: 'anonymous',
  }),
  checkRecipient: serve(api.checkRecipient, (ctx, { query }) => checkRecipient(ctx, query)),
  declineClaim: serve(api.declineClaim, (ctx, { body }) => declineClaim(ctx, body)),
  handOverClaim: serve(api.handOverClaim, (ctx) => handOverClaim(ctx)),
  openClaim: serve(api.openClaim, (ctx) => openClaim(ctx)),
  provePin: serve(api.provePin, (ctx, { body }) => provePin(ctx, body), {
    cookie: ({ params }, { proof }) => pinProofCookieFor(params.claim_token, proof),
  }),
  redeemClaim: serve(api.redeemClaim, (ctx, { body }) => redeemClaim(ctx, body)),
  resolveRecipientName: serve(api.resolveRecipientName, (ctx, { body }) => resolveRecipientName(ctx, body)),
  sendPin: serve(api.sendPin, (ctx) => sendPin(ctx)),
}
