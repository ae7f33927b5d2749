import * as api from '@/lib/platform/api/payments'
import { route, serve } from '@/lib/platform/http/serve'
import { removeIntegration } from '@/lib/selling/payments/disconnect-integration'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.disconnectPaymentIntegration, (ctx, { params }) => removeIntegration(ctx, params.payment_integration_id)),
)
