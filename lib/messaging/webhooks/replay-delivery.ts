import type { WebhookDelivery } from '../../../generated/prisma/client.ts'
import type { Output } from '../../platform/api/endpoint.ts'
import type { replayWebhookDelivery as endpoint } from '../../platform/api/webhooks.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { notFound } from '../../core/errors.ts'
import { newId } from '../../core/id.ts'
import { lockWebhook, assertEnabled } from './read-webhook.ts'
import { deliveriesOf } from './show-webhook.ts'

/** Sends a delivery again. A pending one is not copied: its next attempt is moved to now. Throws `webhook_disabled`. */
export const replayDelivery = (ctx: Context, id: string): Promise<Output<typeof endpoint>> =>
  inTransaction(ctx, async (tx) => {
    const found = await tx.db.webhookDelivery.findFirst({ where: { id } })
    if (!found) throw notFound()
    assertEnabled(await lockWebhook(tx, found.webhookId))
    const row = (await makeDueNow(tx, id)) ?? (await createReplay(tx, found))
    await recordAudit(tx, {
      action: 'webhook.replayed',
      subject: { type: 'webhook', id: found.webhookId },
      after: { delivery_id: row.id, replay_of: row.replayOfId },
    })
    const [shown] = await deliveriesOf(tx, [row])
    return shown!
  })

/** Makes a pending delivery due now. If it is being posted at this moment, its lease prevents a second post. */
async function makeDueNow(tx: Context, id: string): Promise<WebhookDelivery | null> {
  const [row] = await tx.db.webhookDelivery.updateManyAndReturn({
    where: { id, state: 'PENDING' },
    data: { nextAt: tx.now() },
  })
  return row ?? null
}

const createReplay = (
  tx: Context,
  { id, organizationId, webhookId, eventId, eventType, messageId, payload }: WebhookDelivery,
) =>
  tx.db.webhookDelivery.create({
    data: {
      id: newId(),
      organizationId,
      webhookId,
      eventId,
      eventType,
      messageId,
      payload: payload as object,
      requestId: tx.requestId,
      replayOfId: id,
      nextAt: tx.now(),
      createdAt: tx.now(),
    },
  })
