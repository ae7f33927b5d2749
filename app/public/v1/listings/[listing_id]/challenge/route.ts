import { routeAt } from '@/lib/platform/http/route'
import { handlers } from '@/lib/web/purchase-challenges'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routeAt(
  handlers,
  '/public/v1/listings/{listing_id}/challenge',
)
