import * as api from '@/lib/api/webhooks'
import { route, serve } from '@/lib/http/serve'
import { listDeliveries } from '@/lib/webhooks/list-deliveries'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(serve(api.listWebhookDeliveries, (ctx, { params, query }) => listDeliveries(ctx, params.webhook_id, query)))
