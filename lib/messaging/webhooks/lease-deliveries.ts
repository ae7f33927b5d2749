import { Prisma } from '../../../generated/prisma/client.ts'
import type { WorkerContext } from '../../platform/auth/context.ts'
import { secondsFrom } from '../../core/clock.ts'
import { LEASE_SECONDS } from './retry-schedule.ts'
import type { Payload } from './show-webhook.ts'

/** A delivery that this process has taken to post, and where to. */
export type DueDelivery = {
  id: string
  organizationId: string
  webhookId: string
  messageId: string
  payload: Payload
  attempts: number
  createdAt: Date
  /** Until when nobody else takes it. */
  lease: Date
  url: string
  secret: Uint8Array<ArrayBuffer>
  previousSecret: Uint8Array<ArrayBuffer> | null
  previousSecretUntil: Date | null
}

/** One receiver that is slow holds up no others: it never has more than this many posts under way. */
export const MAX_POSTS_PER_WEBHOOK = 4

/**
 * Takes deliveries that are due, those waiting longest first, each for this process alone: it is lent for a while
 * before it is posted, so that it is neither posted twice nor lost when this process dies. `busy`: posts under way by webhook.
 */
export async function leaseDeliveries(
  worker: WorkerContext,
  { most, busy }: { most: number; busy: ReadonlyMap<string, number> },
): Promise<DueDelivery[]> {
  const now = worker.now()
  const lease = secondsFrom(now, LEASE_SECONDS)
  const at = Prisma.sql`${now.toISOString()}::timestamptz`
  const rows = await worker.sql<Omit<DueDelivery, 'lease'>>(Prisma.sql`
    WITH due AS MATERIALIZED (
      SELECT d.id FROM webhooks w
      LEFT JOIN unnest(${[...busy.keys()]}::uuid[], ${[...busy.values()]}::int[]) AS b(webhook_id, posts) ON b.webhook_id = w.id
      CROSS JOIN LATERAL (
        SELECT q.id, q.next_at FROM webhook_deliveries q
        WHERE q.webhook_id = w.id AND q.state = 'PENDING' AND q.next_at <= ${at} AND (q.posting_until IS NULL OR q.posting_until <= ${at})
        ORDER BY q.next_at, q.id LIMIT greatest(0, ${MAX_POSTS_PER_WEBHOOK} - coalesce(b.posts, 0)) FOR UPDATE SKIP LOCKED
      ) d
      WHERE w.status = 'ENABLED' AND EXISTS (SELECT 1 FROM webhook_deliveries WHERE state = 'PENDING' AND next_at <= ${at})
      ORDER BY d.next_at, d.id LIMIT ${most}
    )
    UPDATE webhook_deliveries d SET posting_until = ${lease.toISOString()}::timestamptz
    FROM due, webhooks w WHERE d.id = due.id AND w.id = d.webhook_id
    RETURNING d.id::text, d.organization_id::text AS "organizationId", d.webhook_id::text AS "webhookId", d.message_id::text AS "messageId", d.payload, d.attempts,
      d.created_at AS "createdAt", w.url, w.secret, w.previous_secret AS "previousSecret", w.previous_secret_until AS "previousSecretUntil"`)
  return rows.map((row) => ({ ...row, lease }))
}
