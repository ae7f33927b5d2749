import { routeAt } from '@/lib/platform/http/route'
import { handlers } from '@/lib/web/locale-choices'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routeAt(
  handlers,
  '/public/v1/purchase-intents/{purchase_intent_id}/locale',
)
