import * as api from '@/lib/platform/api/payments'
import { route, serve } from '@/lib/platform/http/serve'
import { createIntegration } from '@/lib/selling/payments/create-integration'
import { listIntegrations } from '@/lib/selling/payments/list-integrations'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.listPaymentIntegrations, (ctx, { query }) => listIntegrations(ctx, query)),
  serve(api.createPaymentIntegration, (ctx, { body }) => createIntegration(ctx, body)),
)
