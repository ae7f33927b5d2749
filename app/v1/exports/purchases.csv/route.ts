import { routeAt } from '@/lib/platform/http/route'
import { handlers } from '@/lib/web/exports'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routeAt(handlers, '/v1/exports/purchases.csv')
