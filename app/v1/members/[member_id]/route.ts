import { routeAt } from '@/lib/platform/http/route'
import { handlers } from '@/lib/web/members'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routeAt(handlers, '/v1/members/{member_id}')
