import * as api from '@/lib/api/audit-entries'
import { route, serve } from '@/lib/http/serve'
import { listAuditEntries } from '@/lib/audit/list-audit-entries'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(serve(api.listAuditEntries, (ctx, { query }) => listAuditEntries(ctx, query)))
