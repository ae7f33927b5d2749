import * as api from '@/lib/api/public-claims'
import { redeemClaim } from '@/lib/claims/redeem-claim'
import { route, serve } from '@/lib/http/serve'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(serve(api.redeemClaim, (ctx, { body }) => redeemClaim(ctx, body)))
