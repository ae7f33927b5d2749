import * as api from '@/lib/platform/api/webhooks'
import { route, serve } from '@/lib/platform/http/serve'
import { deleteWebhook } from '@/lib/messaging/webhooks/delete-webhook'
import { getWebhook } from '@/lib/messaging/webhooks/get-webhook'
import { updateWebhook } from '@/lib/messaging/webhooks/update-webhook'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.getWebhook, (ctx, { params }) => getWebhook(ctx, params.webhook_id)),
  serve(api.updateWebhook, (ctx, { params, body }) => updateWebhook(ctx, params.webhook_id, body)),
  serve(api.deleteWebhook, (ctx, { params }) => deleteWebhook(ctx, params.webhook_id)),
)
