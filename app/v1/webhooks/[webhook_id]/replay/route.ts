import * as api from '@/lib/api/webhooks'
import { route, serve } from '@/lib/http/serve'
import { replaySince } from '@/lib/webhooks/replay-since'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(serve(api.replayWebhook, (ctx, { params, body }) => replaySince(ctx, params.webhook_id, body)))
