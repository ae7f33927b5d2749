import * as api from '@/lib/api/listings'
import { route, serve } from '@/lib/http/serve'
import { getEligibility } from '@/lib/listings/get-eligibility'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(serve(api.getEligibility, (ctx, { query }) => getEligibility(ctx, query)))
