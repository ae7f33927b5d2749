import * as api from '@/lib/api/email-integrations'
import { deleteEmailIntegration } from '@/lib/email-integrations/delete-email-integration'
import { getEmailIntegration } from '@/lib/email-integrations/get-email-integration'
import { updateEmailIntegration } from '@/lib/email-integrations/update-email-integration'
import { route, serve } from '@/lib/http/serve'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.getEmailIntegration, (ctx, { params }) => getEmailIntegration(ctx, params.integration_id)),
  serve(api.updateEmailIntegration, (ctx, { params, body }) => updateEmailIntegration(ctx, params.integration_id, body)),
  serve(api.deleteEmailIntegration, (ctx, { params }) => deleteEmailIntegration(ctx, params.integration_id)),
)
