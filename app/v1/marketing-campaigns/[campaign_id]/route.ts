import * as api from '@/lib/api/campaigns'
import { deleteCampaign } from '@/lib/campaigns/delete-campaign'
import { getCampaign } from '@/lib/campaigns/get-campaign'
import { updateCampaign } from '@/lib/campaigns/update-campaign'
import { route, serve } from '@/lib/http/serve'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.getCampaign, (ctx, { params }) => getCampaign(ctx, params.campaign_id)),
  serve(api.updateCampaign, (ctx, { params, body }) => updateCampaign(ctx, params.campaign_id, body)),
  serve(api.deleteCampaign, (ctx, { params }) => deleteCampaign(ctx, params.campaign_id)),
)
