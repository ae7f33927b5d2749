import * as api from '@/lib/api/webhooks'
import { route, serve } from '@/lib/http/serve'
import { createWebhook } from '@/lib/webhooks/create-webhook'
import { listWebhooks } from '@/lib/webhooks/list-webhooks'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.listWebhooks, (ctx, { query }) => listWebhooks(ctx, query)),
  serve(api.createWebhook, (ctx, { body }) => createWebhook(ctx, body)),
)
