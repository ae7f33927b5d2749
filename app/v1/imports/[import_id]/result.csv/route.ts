import { routeAt } from '@/lib/platform/http/route'
import { handlers } from '@/lib/web/imports'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routeAt(handlers, '/v1/imports/{import_id}/result.csv')
