import * as api from '@/lib/platform/api/mint-vouchers'
import { route, serve } from '@/lib/platform/http/serve'
import { listVouchers } from '@/lib/onchain/vouchers/list-vouchers'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.listMintVouchers, (ctx, { params, query }) => listVouchers(ctx, params.eth_address, query)),
)
