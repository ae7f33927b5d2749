import { routeAt } from '@/lib/platform/http/route'
import { handlers } from '@/lib/web/perks'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routeAt(
  handlers,
  '/public/v1/wallets/{eth_address}/items/{item_id}/perks/{perk_id}/codes',
)
