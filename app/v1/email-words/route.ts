import { routeAt } from '@/lib/platform/http/route'
import { handlers } from '@/lib/web/email-templates'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routeAt(handlers, '/v1/email-words')
