import * as api from '@/lib/platform/api/email-integrations'
import { listSuppressions } from '@/lib/messaging/email-integrations/list-suppressions'
import { route, serve } from '@/lib/platform/http/serve'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.listSuppressions, (ctx, { query }) => listSuppressions(ctx, query)),
)
