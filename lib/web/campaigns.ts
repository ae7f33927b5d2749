import * as api from '../platform/api/campaigns.ts'
import { createCampaign } from '../messaging/campaigns/create-campaign.ts'
import { deleteCampaign } from '../messaging/campaigns/delete-campaign.ts'
import { getCampaign } from '../messaging/campaigns/get-campaign.ts'
import { listCampaigns } from '../messaging/campaigns/list-campaigns.ts'
import { updateCampaign } from '../messaging/campaigns/update-campaign.ts'
import { serve } from '../platform/http/serve.ts'

export const handlers = {
  listCampaigns: serve(api.listCampaigns, (ctx, { query }) => listCampaigns(ctx, query)),
  createCampaign: serve(api.createCampaign, (ctx, { body }) => createCampaign(ctx, body)),
  getCampaign: serve(api.getCampaign, (ctx, { params }) => getCampaign(ctx, params.campaign_id)),
  updateCampaign: serve(api.updateCampaign, (ctx, { params, body }) => updateCampaign(ctx, params.campaign_id, body)),
  deleteCampaign: serve(api.deleteCampaign, (ctx, { params }) => deleteCampaign(ctx, params.campaign_id)),
}
