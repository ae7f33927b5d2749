import * as api from '@/lib/platform/api/audit-entries'
import { route, serve } from '@/lib/platform/http/serve'
import { listAuditEntries } from '@/lib/records/audit/list-audit-entries'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.listAuditEntries, (ctx, { query }) => listAuditEntries(ctx, query)),
)
