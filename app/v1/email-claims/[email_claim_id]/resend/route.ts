import * as api from '@/lib/platform/api/email-claims'
import { resendClaim } from '@/lib/giving/resend-claim'
import { route, serve } from '@/lib/platform/http/serve'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.resendEmailClaim, (ctx, { params, body }) => resendClaim(ctx, params.email_claim_id, body)),
)
