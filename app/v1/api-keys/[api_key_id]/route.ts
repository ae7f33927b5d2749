import { routeAt } from '@/lib/platform/http/route'
import { handlers } from '@/lib/web/api-keys'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routeAt(handlers, '/v1/api-keys/{api_key_id}')
