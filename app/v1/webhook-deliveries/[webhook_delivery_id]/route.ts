import * as api from '@/lib/api/webhooks'
import { route, serve } from '@/lib/http/serve'
import { getDelivery } from '@/lib/webhooks/get-delivery'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(serve(api.getWebhookDelivery, (ctx, { params }) => getDelivery(ctx, params.webhook_delivery_id)))
