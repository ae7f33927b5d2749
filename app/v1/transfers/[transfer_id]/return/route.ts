import { routeAt } from '@/lib/platform/http/route'
import { handlers } from '@/lib/web/transfers'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routeAt(handlers, '/v1/transfers/{transfer_id}/return')
