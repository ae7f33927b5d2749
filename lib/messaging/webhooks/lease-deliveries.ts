import { Prisma } from '../../../generated/prisma/client.ts'
import { columns, type RowOf } from '../../db/columns.ts'
import type { SystemContext } from '../../platform/auth/context.ts'
import { realNow, secondsFrom } from '../../core/clock.ts'
import type { Room } from '../../platform/jobs/due-work.ts'
import { LEASE_SECONDS } from './retry-schedule.ts'
import type { Payload } from './show-webhook.ts'

const DELIVERY = columns('d', 'WebhookDelivery', [
  'id',
  'organizationId',
  'webhookId',
  'messageId',
  'requestId',
  'attempts',
  'createdAt',
])
const WEBHOOK = columns('w', 'Webhook', ['url', 'secret', 'previousSecret', 'previousSecretUntil'])
type Leased = RowOf<typeof DELIVERY> & RowOf<typeof WEBHOOK> & { payload: Payload }
/**
 * A delivery that this process has leased to post, with its webhook's URL and secrets. No other process takes it before
 * `lease`.
 */
export type DueDelivery = Leased & { lease: Date }

/** Concurrent posts per webhook, so that a slow receiver doesn't delay the others. */
const MAX_POSTS_PER_WEBHOOK = 4

/**
 * Leases due deliveries to this process, those due longest first. The lease is stored before the post, so that a
 * delivery is neither posted twice nor lost when the process dies.
 */
export async function leaseDeliveries(worker: SystemContext, { max, busy }: Room): Promise<DueDelivery[]> {
  const now = worker.now()
  const lease = secondsFrom(realNow(), LEASE_SECONDS)
  const at = Prisma.sql`${now.toISOString()}::timestamptz`
  const real = Prisma.sql`${realNow().toISOString()}::timestamptz`
  const rows = await worker.sql<Leased>(Prisma.sql`
    WITH due AS MATERIALIZED (
      SELECT d.id FROM webhooks w
      LEFT JOIN unnest(${[...busy.keys()]}::uuid[], ${[...busy.values()]}::int[])
        AS b(webhook_id, posts) ON b.webhook_id = w.id
      CROSS JOIN LATERAL (
        SELECT q.id, q.next_at FROM webhook_deliveries q
        WHERE q.webhook_id = w.id AND q.state = 'PENDING' AND q.next_at <= ${at}
          AND (q.posting_until IS NULL OR q.posting_until <= ${real})
        ORDER BY q.next_at, q.id LIMIT greatest(0, ${MAX_POSTS_PER_WEBHOOK} - coalesce(b.posts, 0))
        FOR UPDATE SKIP LOCKED
      ) d
      WHERE w.status = 'ENABLED'
        AND EXISTS (SELECT 1 FROM webhook_deliveries WHERE state = 'PENDING' AND next_at <= ${at})
      ORDER BY d.next_at, d.id LIMIT ${max}
    )
    UPDATE webhook_deliveries d SET posting_until = ${lease.toISOString()}::timestamptz
    FROM due, webhooks w WHERE d.id = due.id AND w.id = d.webhook_id
    RETURNING ${Prisma.raw(DELIVERY)}, d.payload, ${Prisma.raw(WEBHOOK)}`)
  return rows.map((row) => ({ ...row, lease }))
}
