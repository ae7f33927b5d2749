import * as api from '@/lib/platform/api/webhooks'
import { route, serve } from '@/lib/platform/http/serve'
import { getDelivery } from '@/lib/messaging/webhooks/get-delivery'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.getWebhookDelivery, (ctx, { params }) => getDelivery(ctx, params.webhook_delivery_id)),
)
