import * as api from '../platform/api/payments.ts'
import { serve } from '../platform/http/serve.ts'
import { createIntegration } from '../selling/payments/create-integration.ts'
import { removeIntegration } from '../selling/payments/disconnect-integration.ts'
import { listIntegrations } from '../selling/payments/list-integrations.ts'
import { refreshIntegration } from '../selling/payments/refresh-integration.ts'

export const handlers = {
  listPaymentIntegrations: serve(api.listPaymentIntegrations, (ctx, { query }) => listIntegrations(ctx, query)),
  createPaymentIntegration: serve(api.createPaymentIntegration, (ctx, { body }) => createIntegration(ctx, body)),
  disconnectPaymentIntegration: serve(api.disconnectPaymentIntegration, (ctx, { params }) =>
    removeIntegration(ctx, params.payment_integration_id),
  ),
  refreshPaymentIntegration: serve(api.refreshPaymentIntegration, (ctx, { params }) =>
    refreshIntegration(ctx, params.payment_integration_id),
  ),
}
