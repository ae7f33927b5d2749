import * as api from '@/lib/platform/api/campaigns'
import { deleteCampaign } from '@/lib/messaging/campaigns/delete-campaign'
import { getCampaign } from '@/lib/messaging/campaigns/get-campaign'
import { updateCampaign } from '@/lib/messaging/campaigns/update-campaign'
import { route, serve } from '@/lib/platform/http/serve'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.getCampaign, (ctx, { params }) => getCampaign(ctx, params.campaign_id)),
  serve(api.updateCampaign, (ctx, { params, body }) => updateCampaign(ctx, params.campaign_id, body)),
  serve(api.deleteCampaign, (ctx, { params }) => deleteCampaign(ctx, params.campaign_id)),
)
