import * as api from '@/lib/api/public-claims'
import { openClaim } from '@/lib/claims/open-claim'
import { route, serve } from '@/lib/http/serve'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(serve(api.openClaim, (ctx) => openClaim(ctx)))
