import * as api from '@/lib/platform/api/email-integrations'
import { createEmailIntegration } from '@/lib/messaging/email-integrations/create-email-integration'
import { listEmailIntegrations } from '@/lib/messaging/email-integrations/list-email-integrations'
import { route, serve } from '@/lib/platform/http/serve'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.listEmailIntegrations, (ctx, { query }) => listEmailIntegrations(ctx, query)),
  serve(api.createEmailIntegration, (ctx, { body }) => createEmailIntegration(ctx, body)),
)
