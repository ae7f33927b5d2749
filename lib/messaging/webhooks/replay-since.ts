import { Prisma } from '../../../generated/prisma/client.ts'
import type { Input, Output } from '../../platform/api/endpoint.ts'
import type { replayWebhook as endpoint } from '../../platform/api/webhooks.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { DAY, secondsFrom } from '../../core/clock.ts'
import { fieldError } from '../../core/errors.ts'
import { env } from '../../core/env.ts'
import { newId } from '../../core/id.ts'
import { TRIGGERED } from '../events/read-events.ts'
import { lockWebhook, assertEnabled } from './read-webhook.ts'

const MAX_EVENTS = 1_000

/**
 * Sends the events since a time again, up to 1,000, including those this webhook never got. Events with a pending
 * delivery are skipped, those of which only the key is left, and triggered examples. Throws `invalid_request` for a
 * time before that of the oldest deliveries and `webhook_disabled`.
 */
export async function replaySince(
  ctx: Context,
  id: string,
  { since, only_failed }: Input<typeof endpoint>['body'],
): Promise<Output<typeof endpoint>> {
  const { organizationId } = ctx
  if (since < secondsFrom(ctx.now(), -env.RETAIN_DELIVERIES_DAYS * DAY))
    throw fieldError(
      'invalid_request',
      'since',
      `Choose a time within the last ${env.RETAIN_DELIVERIES_DAYS} days: older deliveries are no longer known.`,
    )
  return inTransaction(ctx, async (tx) => {
    assertEnabled(await lockWebhook(tx, id))
    const now = tx.now().toISOString()
    const ids = Array.from({ length: MAX_EVENTS }, newId)
    const rows = await tx.sql<{ happenedAt: Date; isOneTooMany: boolean }>(Prisma.sql`
      WITH wanted AS MATERIALIZED (
        SELECT e.*, row_number() OVER (ORDER BY e.created_at, e.id) AS place
        FROM events e JOIN webhooks w ON w.id = ${id}::uuid AND w.organization_id = e.organization_id
        WHERE e.organization_id = ${organizationId}::uuid AND e.created_at >= ${since.toISOString()}::timestamptz
          AND e.data <> '{}' AND NOT starts_with(e.key, ${TRIGGERED})
          AND (w.event_types = '{}' OR e.type = ANY(w.event_types))
          AND NOT EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.webhook_id = w.id AND d.event_id = e.id
            AND (d.state = 'PENDING' OR (${only_failed ?? false} AND d.state = 'DELIVERED')))
        ORDER BY e.created_at, e.id LIMIT ${MAX_EVENTS + 1}
      ), queued AS (
        INSERT INTO webhook_deliveries (id, organization_id, webhook_id, event_id, event_type, message_id, payload,
          request_id, replay_of_id, next_at, created_at)
        SELECT (${ids}::uuid[])[e.place], e.organization_id, ${id}::uuid, e.id, e.type, e.id,
          coalesce(o.payload, jsonb_build_object('type', e.type, 'id', e.id, 'organization_id', e.organization_id,
            'timestamp', to_char(e.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'data', e.data)),
          ${tx.requestId}, o.id, ${now}::timestamptz, ${now}::timestamptz
        FROM wanted e LEFT JOIN webhook_deliveries o ON o.webhook_id = ${id}::uuid AND o.event_id = e.id
          AND o.replay_of_id IS NULL
        WHERE e.place <= ${MAX_EVENTS}
      )
      SELECT created_at AS "happenedAt", place > ${MAX_EVENTS} AS "isOneTooMany" FROM wanted ORDER BY place`)
    const replayed = rows.filter(({ isOneTooMany }) => !isOneTooMany)
    await recordAudit(tx, {
      action: 'webhook.replayed',
      subject: { type: 'webhook', id },
      after: { since, only_failed: only_failed ?? false, replayed: replayed.length },
    })
    return {
      replayed: replayed.length,
      has_more: rows.length > replayed.length,
      until: replayed.at(-1)?.happenedAt ?? null,
    }
  })
}
