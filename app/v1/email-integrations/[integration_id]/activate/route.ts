import * as api from '@/lib/platform/api/email-integrations'
import { activateEmailIntegration } from '@/lib/messaging/email-integrations/activate-email-integration'
import { route, serve } from '@/lib/platform/http/serve'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.activateEmailIntegration, (ctx, { params }) => activateEmailIntegration(ctx, params.integration_id)),
)
