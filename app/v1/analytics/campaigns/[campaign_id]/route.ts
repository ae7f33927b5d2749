import { countCampaign } from '@/lib/analytics/count-campaign'
import * as api from '@/lib/api/analytics'
import { route, serve } from '@/lib/http/serve'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.countCampaign, (ctx, { params, query }) => countCampaign(ctx, params.campaign_id, query)),
)
