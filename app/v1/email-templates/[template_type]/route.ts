import * as api from '@/lib/platform/api/email-templates'
import { route, serve } from '@/lib/platform/http/serve'
import { deleteTemplate } from '@/lib/messaging/templates/delete-template'
import { getTemplate } from '@/lib/messaging/templates/get-template'
import { saveTemplate } from '@/lib/messaging/templates/save-template'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.getTemplate, (ctx, { params, query }) =>
    getTemplate(ctx, params.template_type, { campaignId: query.campaign_id, version: query.version }),
  ),
  serve(api.saveTemplate, (ctx, { params, query, body }) =>
    saveTemplate(ctx, params.template_type, query.campaign_id, body),
  ),
  serve(api.deleteTemplate, (ctx, { params, query }) => deleteTemplate(ctx, params.template_type, query.campaign_id)),
)
