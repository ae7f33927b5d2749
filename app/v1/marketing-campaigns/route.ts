import * as api from '@/lib/platform/api/campaigns'
import { createCampaign } from '@/lib/messaging/campaigns/create-campaign'
import { listCampaigns } from '@/lib/messaging/campaigns/list-campaigns'
import { route, serve } from '@/lib/platform/http/serve'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.listCampaigns, (ctx, { query }) => listCampaigns(ctx, query)),
  serve(api.createCampaign, (ctx, { body }) => createCampaign(ctx, body)),
)
