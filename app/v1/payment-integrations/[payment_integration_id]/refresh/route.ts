import * as api from '@/lib/platform/api/payments'
import { route, serve } from '@/lib/platform/http/serve'
import { refreshIntegration } from '@/lib/selling/payments/refresh-integration'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.refreshPaymentIntegration, (ctx, { params }) => refreshIntegration(ctx, params.payment_integration_id)),
)
