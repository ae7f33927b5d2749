import { routeAt } from '@/lib/platform/http/route'
import { handlers } from '@/lib/web/analytics'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routeAt(handlers, '/v1/analytics/campaigns/{campaign_id}')
