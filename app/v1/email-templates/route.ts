import * as api from '@/lib/platform/api/email-templates'
import { route, serve } from '@/lib/platform/http/serve'
import { listTemplates } from '@/lib/messaging/templates/list-templates'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.listTemplates, (ctx, { query }) => listTemplates(ctx, query.campaign_id)),
)
