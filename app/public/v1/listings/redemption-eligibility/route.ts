import * as api from '@/lib/platform/api/listings'
import { route, serve } from '@/lib/platform/http/serve'
import { getEligibility } from '@/lib/offers/listings/get-eligibility'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.getEligibility, (ctx, { query }) => getEligibility(ctx, query)),
)
