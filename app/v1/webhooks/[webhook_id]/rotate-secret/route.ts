import * as api from '@/lib/api/webhooks'
import { route, serve } from '@/lib/http/serve'
import { rotateSecret } from '@/lib/webhooks/rotate-secret'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(serve(api.rotateWebhookSecret, (ctx, { params }) => rotateSecret(ctx, params.webhook_id)))
