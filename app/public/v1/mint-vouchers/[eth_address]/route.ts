import * as api from '@/lib/api/mint-vouchers'
import { route, serve } from '@/lib/http/serve'
import { listVouchers } from '@/lib/vouchers/list-vouchers'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.listMintVouchers, (ctx, { params, query }) => listVouchers(ctx, params.eth_address, query)),
)
