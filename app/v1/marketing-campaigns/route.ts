import * as api from '@/lib/api/campaigns'
import { createCampaign } from '@/lib/campaigns/create-campaign'
import { listCampaigns } from '@/lib/campaigns/list-campaigns'
import { route, serve } from '@/lib/http/serve'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.listCampaigns, (ctx, { query }) => listCampaigns(ctx, query)),
  serve(api.createCampaign, (ctx, { body }) => createCampaign(ctx, body)),
)
