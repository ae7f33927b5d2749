import * as api from '@/lib/platform/api/webhooks'
import { route, serve } from '@/lib/platform/http/serve'
import { createWebhook } from '@/lib/messaging/webhooks/create-webhook'
import { listWebhooks } from '@/lib/messaging/webhooks/list-webhooks'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.listWebhooks, (ctx, { query }) => listWebhooks(ctx, query)),
  serve(api.createWebhook, (ctx, { body }) => createWebhook(ctx, body)),
)
