import * as api from '@/lib/platform/api/email-templates'
import { route, serve } from '@/lib/platform/http/serve'
import { listVariables } from '@/lib/messaging/templates/list-variables'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.listVariables, (ctx, { params }) => listVariables(ctx, params.template_type)),
)
