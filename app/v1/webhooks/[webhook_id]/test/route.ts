import * as api from '@/lib/platform/api/webhooks'
import { route, serve } from '@/lib/platform/http/serve'
import { testWebhook } from '@/lib/messaging/webhooks/test-webhook'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.testWebhook, (ctx, { params }) => testWebhook(ctx, params.webhook_id)),
)
