import * as api from '@/lib/platform/api/payment-tokens'
import { route, serve } from '@/lib/platform/http/serve'
import { listPaymentTokens } from '@/lib/offers/networks/payment-tokens'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.listPaymentTokens, (ctx, { query }) => listPaymentTokens(ctx, query)),
)
