import * as api from '@/lib/platform/api/webhooks'
import { route, serve } from '@/lib/platform/http/serve'
import { replayDelivery } from '@/lib/messaging/webhooks/replay-delivery'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.replayWebhookDelivery, (ctx, { params }) => replayDelivery(ctx, params.webhook_delivery_id)),
)
