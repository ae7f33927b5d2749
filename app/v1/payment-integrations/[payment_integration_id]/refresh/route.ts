import * as api from '@/lib/api/payments'
import { route, serve } from '@/lib/http/serve'
import { refreshIntegration } from '@/lib/payments/refresh-integration'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.refreshPaymentIntegration, (ctx, { params }) => refreshIntegration(ctx, params.payment_integration_id)),
)
