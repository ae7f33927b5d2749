import { countCampaign } from '@/lib/data/analytics/count-campaign'
import * as api from '@/lib/platform/api/analytics'
import { route, serve } from '@/lib/platform/http/serve'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.countCampaign, (ctx, { params, query }) => countCampaign(ctx, params.campaign_id, query)),
)
