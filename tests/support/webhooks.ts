import { Webhook as Signer } from 'standardwebhooks'
import { onTestFinished } from 'vitest'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { inTransaction } from '../../lib/platform/auth/context.ts'
import type { EventType } from '../../lib/platform/api/events.ts'
import { newId } from '../../lib/core/id.ts'
import { createWebhook } from '../../lib/messaging/webhooks/create-webhook.ts'
import { openDeliverer } from '../../lib/messaging/webhooks/deliverer.ts'
import { recordEvent } from '../../lib/messaging/webhooks/record-event.ts'
import type { TestOrganization } from './organization.ts'
import { type Received, startReceiver } from './receiver.ts'

type WebhookOptions = { events?: EventType[]; name?: string }

/** A webhook of the organization with its own receiver. */
export async function makeWebhook({ ctx }: TestOrganization, { events, name = 'Shop' }: WebhookOptions = {}) {
  const receiver = await startReceiver()
  onTestFinished(() => receiver.close())
  const { id, secret } = await createWebhook(ctx, { name, url: receiver.url, events: events ?? null })
  const row = () => ctx.db.webhook.findFirstOrThrow({ where: { id } })
  const deliveries = () =>
    ctx.db.webhookDelivery.findMany({ where: { webhookId: id }, orderBy: { id: 'asc' }, include: { log: true } })
  return { id, secret, receiver, row, deliveries }
}

/** Records an event of the organization in its own transaction. */
export const recordTestEvent = (
  { ctx }: TestOrganization,
  type: EventType = 'item.minted',
  data: object = { item_id: newId() },
) => inTransaction(ctx, (tx) => recordEvent(tx, type, newId(), data))

/** Posts every due delivery, as the worker does. */
export async function deliverDue(): Promise<void> {
  const deliverer = openDeliverer(() => systemContext('test'))
  while ((await deliverer.begin()) > 0) await deliverer.idle()
}

/** Whether one of the request's signatures is by this secret; the time isn't checked. */
export function isSignedBy(secret: string, { headers, body }: Received): boolean {
  const signed = new Signer(secret).sign(
    String(headers['webhook-id']),
    new Date(Number(headers['webhook-timestamp']) * 1000),
    body,
  )
  return String(headers['webhook-signature']).split(' ').includes(signed)
}
