import { routeAt } from '@/lib/platform/http/route'
import { handlers } from '@/lib/web/snapshots'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routeAt(handlers, '/v1/snapshots/{snapshot_id}/holders.csv')
