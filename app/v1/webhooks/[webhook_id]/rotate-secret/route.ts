import * as api from '@/lib/platform/api/webhooks'
import { route, serve } from '@/lib/platform/http/serve'
import { rotateSecret } from '@/lib/messaging/webhooks/rotate-secret'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.rotateWebhookSecret, (ctx, { params }) => rotateSecret(ctx, params.webhook_id)),
)
