import type { Output } from '../../platform/api/endpoint.ts'
import { TEST_EVENT } from '../../platform/api/events.ts'
import type { testWebhook as endpoint } from '../../platform/api/webhooks.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { newId } from '../../core/id.ts'
import { lockWebhook, assertEnabled } from './read-webhook.ts'
import { deliveriesOf, type Payload } from './show-webhook.ts'

/** Queues a test event, which is delivered like any other. Throws `webhook_disabled`. */
export const testWebhook = (ctx: Context, id: string): Promise<Output<typeof endpoint>> =>
  inTransaction(ctx, async (tx) => {
    const webhook = await lockWebhook(tx, id)
    assertEnabled(webhook)
    const { organizationId } = tx
    const [deliveryId, messageId, now] = [newId(), newId(), tx.now()]
    const payload = {
      type: TEST_EVENT,
      id: messageId,
      organization_id: organizationId,
      timestamp: now.toISOString(),
      data: { webhook_id: id, message: 'If you can read this and the signature is right, this webhook works.' },
    } satisfies Payload
    const row = await tx.db.webhookDelivery.create({
      data: {
        id: deliveryId,
        organizationId,
        webhookId: id,
        eventType: TEST_EVENT,
        messageId,
        payload,
        requestId: tx.requestId,
        nextAt: now,
        createdAt: now,
      },
    })
    await recordAudit(tx, {
      action: 'webhook.tested',
      subject: { type: 'webhook', id },
      after: { delivery_id: deliveryId },
    })
    const [shown] = await deliveriesOf(tx, [row])
    return shown!
  })
