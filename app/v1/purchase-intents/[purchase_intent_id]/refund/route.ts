import { routeAt } from '@/lib/platform/http/route'
import { handlers } from '@/lib/web/purchase-decisions'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routeAt(
  handlers,
  '/v1/purchase-intents/{purchase_intent_id}/refund',
)
