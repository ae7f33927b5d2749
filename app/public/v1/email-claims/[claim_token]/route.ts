import * as api from '@/lib/api/public-claims'
import { getClaimView } from '@/lib/claims/get-claim-view'
import { route, serve } from '@/lib/http/serve'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(serve(api.getClaimView, (ctx) => getClaimView(ctx)))
