import * as api from '@/lib/platform/api/email-integrations'
import { sendTestMail } from '@/lib/messaging/email-integrations/send-test-mail'
import { route, serve } from '@/lib/platform/http/serve'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.sendTestMail, (ctx, { params, body }) => sendTestMail(ctx, params.integration_id, body)),
)
