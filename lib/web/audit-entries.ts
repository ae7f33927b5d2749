import * as api from '../platform/api/audit-entries.ts'
import { serve } from '../platform/http/serve.ts'
import { getAuditEntry } from '../records/audit/get-audit-entry.ts'
import { listAuditEntries } from '../records/audit/list-audit-entries.ts'

export const handlers = {
  listAuditEntries: serve(api.listAuditEntries, (ctx, { query }) => listAuditEntries(ctx, query)),
  getAuditEntry: serve(api.getAuditEntry, (ctx, { params }) => getAuditEntry(ctx, params.audit_entry_id)),
}
