import * as api from '@/lib/api/email-templates'
import { route, serve } from '@/lib/http/serve'
import { listTemplates } from '@/lib/templates/list-templates'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(serve(api.listTemplates, (ctx, { query }) => listTemplates(ctx, query.campaign_id)))
