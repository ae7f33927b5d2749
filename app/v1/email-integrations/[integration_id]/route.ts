import * as api from '@/lib/platform/api/email-integrations'
import { deleteEmailIntegration } from '@/lib/messaging/email-integrations/delete-email-integration'
import { getEmailIntegration } from '@/lib/messaging/email-integrations/get-email-integration'
import { updateEmailIntegration } from '@/lib/messaging/email-integrations/update-email-integration'
import { route, serve } from '@/lib/platform/http/serve'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.getEmailIntegration, (ctx, { params }) => getEmailIntegration(ctx, params.integration_id)),
  serve(api.updateEmailIntegration, (ctx, { params, body }) =>
    updateEmailIntegration(ctx, params.integration_id, body),
  ),
  serve(api.deleteEmailIntegration, (ctx, { params }) => deleteEmailIntegration(ctx, params.integration_id)),
)
