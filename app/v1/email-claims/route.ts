import * as api from '@/lib/api/email-claims'
import { createClaim } from '@/lib/claims/create-claim'
import { listClaims } from '@/lib/claims/list-claims'
import { route, serve } from '@/lib/http/serve'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.listEmailClaims, (ctx, { query }) => listClaims(ctx, query)),
  serve(api.createEmailClaim, (ctx, { body }) => createClaim(ctx, body)),
)
