import { routeAt } from '@/lib/platform/http/route'
import { handlers } from '@/lib/web/deployments'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routeAt(
  handlers,
  '/v1/collections/{collection_id}/metadata-refresh',
)
