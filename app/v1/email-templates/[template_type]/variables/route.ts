import * as api from '@/lib/api/email-templates'
import { route, serve } from '@/lib/http/serve'
import { listVariables } from '@/lib/templates/list-variables'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(serve(api.listVariables, (ctx, { params }) => listVariables(ctx, params.template_type)))
