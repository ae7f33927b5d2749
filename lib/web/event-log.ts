import * as api from '../platform/api/event-log.ts'
import { listenForEvents } from '../messaging/events/listen-for-events.ts'
import { triggerEvent } from '../messaging/events/trigger-event.ts'
import { serve } from '../platform/http/serve.ts'

export const handlers = {
  listenForEvents: serve(api.listenForEvents, (ctx, { query }) => listenForEvents(ctx, query)),
  triggerEvent: serve(api.triggerEvent, (ctx, { body }) => triggerEvent(ctx, body)),
}
