import { countClaims } from '@/lib/data/analytics/count-claims'
import * as api from '@/lib/platform/api/analytics'
import { route, serve } from '@/lib/platform/http/serve'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.countClaims, (ctx, { query }) => countClaims(ctx, query)),
)
