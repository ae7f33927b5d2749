import * as api from '../platform/api/payment-tokens.ts'
import { listPaymentTokens } from '../offers/networks/payment-tokens.ts'
import { serve } from '../platform/http/serve.ts'

export const handlers = {
  listPaymentTokens: serve(api.listPaymentTokens, (ctx, { query }) => listPaymentTokens(ctx, query)),
}
