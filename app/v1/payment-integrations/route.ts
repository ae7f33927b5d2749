import * as api from '@/lib/api/payments'
import { route, serve } from '@/lib/http/serve'
import { createIntegration } from '@/lib/payments/create-integration'
import { listIntegrations } from '@/lib/payments/list-integrations'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.listPaymentIntegrations, (ctx, { query }) => listIntegrations(ctx, query)),
  serve(api.createPaymentIntegration, (ctx, { body }) => createIntegration(ctx, body)),
)
