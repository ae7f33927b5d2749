import { routeAt } from '@/lib/platform/http/route'
import { handlers } from '@/lib/web/item-types'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routeAt(handlers, '/v1/item-types/{item_type_id}')
