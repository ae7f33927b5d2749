import * as api from '@/lib/platform/api/email-claims'
import { createClaim } from '@/lib/giving/create-claim'
import { listClaims } from '@/lib/giving/list-claims'
import { route, serve } from '@/lib/platform/http/serve'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.listEmailClaims, (ctx, { query }) => listClaims(ctx, query)),
  serve(api.createEmailClaim, (ctx, { body }) => createClaim(ctx, body)),
)
