import * as api from '@/lib/platform/api/webhooks'
import { route, serve } from '@/lib/platform/http/serve'
import { listDeliveries } from '@/lib/messaging/webhooks/list-deliveries'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.listWebhookDeliveries, (ctx, { params, query }) => listDeliveries(ctx, params.webhook_id, query)),
)
