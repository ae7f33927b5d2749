import { routeAt } from '@/lib/platform/http/route'
import { handlers } from '@/lib/web/changes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routeAt(
  handlers,
  '/public/v1/transfers/{transfer_id}/changes',
)
