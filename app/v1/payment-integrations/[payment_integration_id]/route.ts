import * as api from '@/lib/api/payments'
import { route, serve } from '@/lib/http/serve'
import { removeIntegration } from '@/lib/payments/disconnect-integration'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.disconnectPaymentIntegration, (ctx, { params }) => removeIntegration(ctx, params.payment_integration_id)),
)
