import type { z } from 'zod'
import type { Webhook, WebhookAttempt, WebhookDelivery } from '../../../generated/prisma/client.ts'
import type { EventType } from '../../platform/api/events.ts'
import type { webhook, webhookAttempt, webhookDelivery } from '../../platform/api/webhooks.ts'
import type { Context } from '../../platform/auth/context.ts'

export type ShownWebhook = z.output<typeof webhook>
export type ShownDelivery = z.output<typeof webhookDelivery>

/** A webhook as the API shows it, without its secrets. */
export async function webhookOf(ctx: Context, row: Webhook): Promise<ShownWebhook> {
  const last = await ctx.db.webhookDelivery.findFirst({ where: { webhookId: row.id }, orderBy: { id: 'desc' } })
  const rotating = row.previousSecretUntil !== null && row.previousSecretUntil > ctx.now()
  return {
    id: row.id,
    name: row.name,
    url: row.url,
    events: row.eventTypes as EventType[],
    status: row.status,
    disabled_reason: row.disabledReason,
    failing_since: row.failingSince,
    previous_secret_until: rotating ? row.previousSecretUntil : null,
    last_delivery: last && { id: last.id, event_type: last.eventType, state: last.state, created_at: last.createdAt },
    created_at: row.createdAt,
    updated_at: row.updatedAt,
  }
}

const MAX_ATTEMPTS_SHOWN = 50

/** Deliveries with their attempts, which are read in one query. */
export async function deliveriesOf(ctx: Context, rows: readonly WebhookDelivery[]): Promise<ShownDelivery[]> {
  const attempts = await ctx.db.webhookAttempt.findMany({
    where: { deliveryId: { in: rows.map(({ id }) => id) } },
    orderBy: { id: 'desc' },
  })
  const attemptsOf = Map.groupBy(attempts, ({ deliveryId }) => deliveryId)
  return rows.map((row) => deliveryOf(row, attemptsOf.get(row.id) ?? []))
}

const deliveryOf = (row: WebhookDelivery, log: readonly WebhookAttempt[]): ShownDelivery => ({
  id: row.id,
  webhook_id: row.webhookId,
  event_id: row.eventId,
  event_type: row.eventType,
  message_id: row.messageId,
  state: row.state,
  attempts: row.attempts,
  next_attempt_at: row.state === 'PENDING' ? row.nextAt : null,
  delivered_at: row.deliveredAt,
  replay_of: row.replayOfId,
  payload: inKeyOrder(row.payload as Payload),
  log: log.slice(0, MAX_ATTEMPTS_SHOWN).map(attemptOf),
  created_at: row.createdAt,
})

const attemptOf = ({
  status,
  error,
  answer,
  milliseconds,
  createdAt,
}: WebhookAttempt): z.output<typeof webhookAttempt> => ({ status, error, answer, milliseconds, created_at: createdAt })

/** The JSON body that is posted. */
export type Payload = {
  type: string
  id: string
  organization_id: string
  timestamp: string
  data: Record<string, unknown>
}

/** JSONB doesn't preserve the order of keys, so it is restored here: receivers always see the same one. */
export const inKeyOrder = ({ type, id, organization_id, timestamp, data }: Payload): Payload => ({
  type,
  id,
  organization_id,
  timestamp,
  data,
})
