import * as api from '@/lib/platform/api/public-claims'
import { getClaimView } from '@/lib/giving/get-claim-view'
import { route, serve } from '@/lib/platform/http/serve'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(serve(api.getClaimView, (ctx) => getClaimView(ctx)))
