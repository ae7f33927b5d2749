import * as api from '../platform/api/abuse-reports.ts'
import { reportAbuse } from '../data/abuse/report-abuse.ts'
import { serve } from '../platform/http/serve.ts'

export const handlers = { reportAbuse: serve(api.reportAbuse, (ctx, { body }) => reportAbuse(ctx, body)) }
