import { routeAt } from '@/lib/platform/http/route'
import { handlers } from '@/lib/web/webhooks'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routeAt(
  handlers,
  '/v1/webhook-deliveries/{webhook_delivery_id}',
)
