import * as api from '@/lib/platform/api/abuse-reports'
import { route, serve } from '@/lib/platform/http/serve'
import { reportAbuse } from '@/lib/data/abuse/report-abuse'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.reportAbuse, (ctx, { body }) => reportAbuse(ctx, body)),
)
