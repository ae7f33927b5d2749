import * as api from '@/lib/platform/api/audit-entries'
import { route, serve } from '@/lib/platform/http/serve'
import { getAuditEntry } from '@/lib/records/audit/get-audit-entry'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.getAuditEntry, (ctx, { params }) => getAuditEntry(ctx, params.audit_entry_id)),
)
