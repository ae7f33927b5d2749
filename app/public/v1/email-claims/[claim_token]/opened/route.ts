import * as api from '@/lib/platform/api/public-claims'
import { openClaim } from '@/lib/giving/open-claim'
import { route, serve } from '@/lib/platform/http/serve'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(serve(api.openClaim, (ctx) => openClaim(ctx)))
