import * as api from '../platform/api/email-claims.ts'
import { createClaim } from '../giving/create-claim.ts'
import { createClaimsInBulk } from '../giving/create-claims-in-bulk.ts'
import { getClaim } from '../giving/get-claim.ts'
import { listClaims } from '../giving/list-claims.ts'
import { resendClaim } from '../giving/resend-claim.ts'
import { revokeClaim } from '../giving/revoke-claim.ts'
import { serve } from '../platform/http/serve.ts'

export const handlers = {
  listEmailClaims: serve(api.listEmailClaims, (ctx, { query }) => listClaims(ctx, query)),
  createEmailClaim: serve(api.createEmailClaim, (ctx, { body }) => createClaim(ctx, body)),
  createEmailClaims: serve(api.createEmailClaims, (ctx, { body }) => createClaimsInBulk(ctx, body)),
  getEmailClaim: serve(api.getEmailClaim, (ctx, { params }) => getClaim(ctx, params.email_claim_id)),
  revokeEmailClaim: serve(api.revokeEmailClaim, (ctx, { params }) => revokeClaim(ctx, params.email_claim_id)),
  resendEmailClaim: serve(api.resendEmailClaim, (ctx, { params, body }) =>
    resendClaim(ctx, params.email_claim_id, body),
  ),
}
