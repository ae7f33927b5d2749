import * as api from '@/lib/api/email-integrations'
import { listSuppressions } from '@/lib/email-integrations/list-suppressions'
import { route, serve } from '@/lib/http/serve'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(serve(api.listSuppressions, (ctx, { query }) => listSuppressions(ctx, query)))
