import * as api from '@/lib/api/webhooks'
import { route, serve } from '@/lib/http/serve'
import { replayDelivery } from '@/lib/webhooks/replay-delivery'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(serve(api.replayWebhookDelivery, (ctx, { params }) => replayDelivery(ctx, params.webhook_delivery_id)))
