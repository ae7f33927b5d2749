import * as api from '@/lib/api/payment-tokens'
import { route, serve } from '@/lib/http/serve'
import { listPaymentTokens } from '@/lib/networks/payment-tokens'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(serve(api.listPaymentTokens, (ctx, { query }) => listPaymentTokens(ctx, query)))
