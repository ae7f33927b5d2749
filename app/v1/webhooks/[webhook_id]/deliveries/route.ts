import { routeAt } from '@/lib/platform/http/route'
import { handlers } from '@/lib/web/webhooks'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routeAt(handlers, '/v1/webhooks/{webhook_id}/deliveries')
