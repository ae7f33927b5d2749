import { routeAt } from '@/lib/platform/http/route'
import { handlers } from '@/lib/web/abuse-reports'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routeAt(handlers, '/public/v1/abuse-reports')
