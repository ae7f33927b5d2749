import { routeAt } from '@/lib/platform/http/route'
import { handlers } from '@/lib/web/audit-entries'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routeAt(handlers, '/v1/audit-entries/{audit_entry_id}')
