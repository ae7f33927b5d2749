import * as api from '../platform/api/mint-vouchers.ts'
import { listVouchers } from '../onchain/vouchers/list-vouchers.ts'
import { serve } from '../platform/http/serve.ts'

export const handlers = {
  listMintVouchers: serve(api.listMintVouchers, (ctx, { params, query }) =>
    listVouchers(ctx, params.eth_address, query),
  ),
}
