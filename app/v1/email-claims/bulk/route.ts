import { routeAt } from '@/lib/platform/http/route'
import { handlers } from '@/lib/web/email-claims'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routeAt(handlers, '/v1/email-claims/bulk')
