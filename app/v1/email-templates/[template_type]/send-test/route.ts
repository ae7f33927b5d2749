import * as api from '@/lib/platform/api/email-templates'
import { route, serve } from '@/lib/platform/http/serve'
import { sendTestTemplate } from '@/lib/messaging/templates/send-test-template'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.sendTestTemplate, (ctx, { params, query, body }) =>
    sendTestTemplate(ctx, params.template_type, query.campaign_id, body),
  ),
)
