import * as api from '@/lib/platform/api/webhooks'
import { route, serve } from '@/lib/platform/http/serve'
import { replaySince } from '@/lib/messaging/webhooks/replay-since'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.replayWebhook, (ctx, { params, body }) => replaySince(ctx, params.webhook_id, body)),
)
