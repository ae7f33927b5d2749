import { routeAt } from '@/lib/platform/http/route'
import { handlers } from '@/lib/web/locale-choices'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routeAt(handlers, '/v1/me/locale')
