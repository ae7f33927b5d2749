import * as api from '@/lib/api/email-claims'
import { getClaim } from '@/lib/claims/get-claim'
import { revokeClaim } from '@/lib/claims/revoke-claim'
import { route, serve } from '@/lib/http/serve'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.getEmailClaim, (ctx, { params }) => getClaim(ctx, params.email_claim_id)),
  serve(api.revokeEmailClaim, (ctx, { params }) => revokeClaim(ctx, params.email_claim_id)),
)
