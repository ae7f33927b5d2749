import * as api from '@/lib/platform/api/email-templates'
import { route, serve } from '@/lib/platform/http/serve'
import { previewTemplate } from '@/lib/messaging/templates/preview-template'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.previewTemplate, (ctx, { params, query, body }) =>
    previewTemplate(ctx, params.template_type, query.campaign_id, body),
  ),
)
