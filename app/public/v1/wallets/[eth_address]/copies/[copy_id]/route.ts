import { routeAt } from '@/lib/platform/http/route'
import { handlers } from '@/lib/web/wallets'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routeAt(
  handlers,
  '/public/v1/wallets/{eth_address}/copies/{copy_id}',
)
