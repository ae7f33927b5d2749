import * as api from '@/lib/api/webhooks'
import { route, serve } from '@/lib/http/serve'
import { testWebhook } from '@/lib/webhooks/test-webhook'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(serve(api.testWebhook, (ctx, { params }) => testWebhook(ctx, params.webhook_id)))
