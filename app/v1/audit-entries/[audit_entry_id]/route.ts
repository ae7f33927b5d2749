import * as api from '@/lib/api/audit-entries'
import { route, serve } from '@/lib/http/serve'
import { getAuditEntry } from '@/lib/audit/get-audit-entry'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(serve(api.getAuditEntry, (ctx, { params }) => getAuditEntry(ctx, params.audit_entry_id)))
