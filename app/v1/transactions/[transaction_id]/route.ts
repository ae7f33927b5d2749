import { routeAt } from '@/lib/platform/http/route'
import { handlers } from '@/lib/web/transactions'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routeAt(handlers, '/v1/transactions/{transaction_id}')
