import * as api from '@/lib/platform/api/email-claims'
import { getClaim } from '@/lib/giving/get-claim'
import { revokeClaim } from '@/lib/giving/revoke-claim'
import { route, serve } from '@/lib/platform/http/serve'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.getEmailClaim, (ctx, { params }) => getClaim(ctx, params.email_claim_id)),
  serve(api.revokeEmailClaim, (ctx, { params }) => revokeClaim(ctx, params.email_claim_id)),
)
