import { routeAt } from '@/lib/platform/http/route'
import { handlers } from '@/lib/web/perks'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routeAt(handlers, '/public/v1/items/{item_id}/perks')
