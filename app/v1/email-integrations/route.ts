import * as api from '@/lib/api/email-integrations'
import { createEmailIntegration } from '@/lib/email-integrations/create-email-integration'
import { listEmailIntegrations } from '@/lib/email-integrations/list-email-integrations'
import { route, serve } from '@/lib/http/serve'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.listEmailIntegrations, (ctx, { query }) => listEmailIntegrations(ctx, query)),
  serve(api.createEmailIntegration, (ctx, { body }) => createEmailIntegration(ctx, body)),
)
