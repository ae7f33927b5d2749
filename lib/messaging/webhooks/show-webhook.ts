import type { z } from 'zod'
import type { Webhook, WebhookAttempt, WebhookDelivery } from '../../../generated/prisma/client.ts'
import type { EventType } from '../../platform/api/events.ts'
import type { webhook, webhookAttempt, webhookDelivery } from '../../platform/api/webhooks.ts'
import type { Context } from '../../platform/auth/context.ts'
import type { Statement } from '../../db/statements.ts'

export type ShownWebhook = z.output<typeof webhook>
type LastDelivery = ShownWebhook['last_delivery']
export type ShownDelivery = z.output<typeof webhookDelivery>

const LAST_DELIVERIES: Statement = {
  name: 'last_deliveries_of_webhooks',
  text: `SELECT d.* FROM unnest($2::uuid[]) AS w (id) CROSS JOIN LATERAL (
      SELECT webhook_id, id, event_type, state::text AS state, created_at FROM webhook_deliveries
      WHERE organization_id = $1::uuid AND webhook_id = w.id ORDER BY id DESC LIMIT 1
    ) d`,
}

/** Webhooks as the API shows them, without their secrets; their last deliveries are read in one statement. */
export async function webhooksOf(ctx: Context, rows: readonly Webhook[]): Promise<ShownWebhook[]> {
  const last = await ctx.rows<NonNullable<LastDelivery> & { webhook_id: string }>(
    LAST_DELIVERIES,
    ctx.organizationId,
    rows.map(({ id }) => id),
  )
  const lastOf = new Map(last.map(({ webhook_id, ...delivery }) => [webhook_id, delivery]))
  return rows.map((row) => webhookWith(row, lastOf.get(row.id) ?? null, ctx.now()))
}

export const webhookOf = async (ctx: Context, row: Webhook): Promise<ShownWebhook> => (await webhooksOf(ctx, [row]))[0]!

function webhookWith(row: Webhook, last: LastDelivery, now: Date): ShownWebhook {
  const rotating = row.previousSecretUntil !== null && row.previousSecretUntil > now
  return {
    id: row.id,
    name: row.name,
    url: row.url,
    events: row.eventTypes as EventType[],
    status: row.status,
    disabled_reason: row.disabledReason,
    failing_since: row.failingSince,
    previous_secret_until: rotating ? row.previousSecretUntil : null,
    last_delivery: last,
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
