import { countClaims } from '@/lib/analytics/count-claims'
import * as api from '@/lib/api/analytics'
import { route, serve } from '@/lib/http/serve'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(serve(api.countClaims, (ctx, { query }) => countClaims(ctx, query)))
