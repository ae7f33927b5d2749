import { routeAt } from '@/lib/platform/http/route'
import { handlers } from '@/lib/web/mint-vouchers'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routeAt(handlers, '/public/v1/mint-vouchers/{eth_address}')
