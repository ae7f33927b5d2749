import * as api from '../platform/api/analytics.ts'
import { countCampaign } from '../data/analytics/count-campaign.ts'
import { countClaims } from '../data/analytics/count-claims.ts'
import { countSales } from '../data/analytics/count-sales.ts'
import { serve } from '../platform/http/serve.ts'

export const handlers = {
  countCampaign: serve(api.countCampaign, (ctx, { params, query }) => countCampaign(ctx, params.campaign_id, query)),
  countClaims: serve(api.countClaims, (ctx, { query }) => countClaims(ctx, query)),
  countSales: serve(api.countSales, (ctx, { query }) => countSales(ctx, query)),
}
