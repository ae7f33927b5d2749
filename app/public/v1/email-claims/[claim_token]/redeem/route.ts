import * as api from '@/lib/platform/api/public-claims'
import { redeemClaim } from '@/lib/giving/redeem-claim'
import { route, serve } from '@/lib/platform/http/serve'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.redeemClaim, (ctx, { body }) => redeemClaim(ctx, body)),
)
