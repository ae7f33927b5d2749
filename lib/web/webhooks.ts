import * as api from '../platform/api/webhooks.ts'
import { createWebhook } from '../messaging/webhooks/create-webhook.ts'
import { deleteWebhook } from '../messaging/webhooks/delete-webhook.ts'
import { getDelivery } from '../messaging/webhooks/get-delivery.ts'
import { getWebhook } from '../messaging/webhooks/get-webhook.ts'
import { listDeliveries } from '../messaging/webhooks/list-deliveries.ts'
import { listWebhooks } from '../messaging/webhooks/list-webhooks.ts'
import { replayDelivery } from '../messaging/webhooks/replay-delivery.ts'
import { replaySince } from '../messaging/webhooks/replay-since.ts'
import { rotateSecret } from '../messaging/webhooks/rotate-secret.ts'
import { testWebhook } from '../messaging/webhooks/test-webhook.ts'
import { updateWebhook } from '../messaging/webhooks/update-webhook.ts'
import { serve } from '../platform/http/serve.ts'

export const handlers = {
  getWebhookDelivery: serve(api.getWebhookDelivery, (ctx, { params }) => getDelivery(ctx, params.webhook_delivery_id)),
  replayWebhookDelivery: serve(api.replayWebhookDelivery, (ctx, { params }) =>
    replayDelivery(ctx, params.webhook_delivery_id),
  ),
  listWebhooks: serve(api.listWebhooks, (ctx, { query }) => listWebhooks(ctx, query)),
  createWebhook: serve(api.createWebhook, (ctx, { body }) => createWebhook(ctx, body)),
  getWebhook: serve(api.getWebhook, (ctx, { params }) => getWebhook(ctx, params.webhook_id)),
  updateWebhook: serve(api.updateWebhook, (ctx, { params, body }) => updateWebhook(ctx, params.webhook_id, body)),
  deleteWebhook: serve(api.deleteWebhook, (ctx, { params }) => deleteWebhook(ctx, params.webhook_id)),
  listWebhookDeliveries: serve(api.listWebhookDeliveries, (ctx, { params, query }) =>
    listDeliveries(ctx, params.webhook_id, query),
  ),
  replayWebhook: serve(api.replayWebhook, (ctx, { params, body }) => replaySince(ctx, params.webhook_id, body)),
  rotateWebhookSecret: serve(api.rotateWebhookSecret, (ctx, { params }) => rotateSecret(ctx, params.webhook_id)),
  testWebhook: serve(api.testWebhook, (ctx, { params }) => testWebhook(ctx, params.webhook_id)),
}
