import { Prisma } from '../../../generated/prisma/client.ts'
import { realNow, secondsFrom } from '../../core/clock.ts'
import type { SystemContext } from '../../platform/auth/context.ts'
import type { Room } from '../../platform/jobs/due-work.ts'

/**
 * A process that neither sent its mails nor renewed their leases for so long is presumed dead; another one sends them.
 */
const LEASE_SECONDS = 20

/** Mails of one organization that a process sends at once, so that a slow server doesn't delay those of others. */
const MAX_PER_OWNER = 16

/** Whose mail it is: an organization's, or the installation's own. It is the index's expression. */
const OWNER = Prisma.raw(
  `(CASE WHEN m.organization_id IS NULL THEN '00000000-0000-0000-0000-000000000000' ELSE m.organization_id END)`,
)

export type DueMail = { id: string; owner: string; requestId: string | null }

/**
 * Leases due mails to this process, in turn for all owners: the mail of one owner waits for few of another's, however
 * many wait there. Urgent mails and others are leased apart.
 */
export async function leaseMails(
  worker: SystemContext,
  { urgent, max, busy }: Room & { urgent: boolean },
): Promise<DueMail[]> {
  const isDue = Prisma.sql`m.next_at <= ${worker.now().toISOString()}::timestamptz
    AND (m.sending_until IS NULL OR m.sending_until <= ${realNow().toISOString()}::timestamptz)`
  const waiting = Prisma.sql`outbox_messages m WHERE m.state = 'PENDING' AND m.next_at IS NOT NULL
      AND m.urgent = ${urgent}`
  return worker.sql<DueMail>(Prisma.sql`
    WITH RECURSIVE owners AS (
      (SELECT ${OWNER} AS id FROM ${waiting} ORDER BY 1 LIMIT 1)
      UNION ALL
      SELECT (SELECT ${OWNER} FROM ${waiting} AND ${OWNER} > o.id ORDER BY 1 LIMIT 1) FROM owners o
      WHERE o.id IS NOT NULL
    ), chosen AS MATERIALIZED (
      SELECT d.id FROM owners o
      LEFT JOIN unnest(${[...busy.keys()]}::uuid[], ${[...busy.values()]}::int[]) AS b(owner, mails) ON b.owner = o.id
      CROSS JOIN LATERAL (
        SELECT m.id, m.next_at FROM ${waiting} AND ${OWNER} = o.id AND ${isDue}
        ORDER BY m.next_at, m.id LIMIT least(${max}, greatest(0, ${MAX_PER_OWNER} - coalesce(b.mails, 0)))
      ) d
      ORDER BY coalesce(b.mails, 0) + row_number() OVER (PARTITION BY o.id ORDER BY d.next_at, d.id),
        d.next_at, d.id LIMIT ${max}
    ), due AS MATERIALIZED (
      SELECT m.id FROM outbox_messages m
      WHERE m.id IN (SELECT id FROM chosen) AND m.state = 'PENDING' AND ${isDue} FOR UPDATE SKIP LOCKED
    )
    UPDATE outbox_messages m SET sending_until = ${leaseEnd()} FROM due WHERE m.id = due.id
    RETURNING m.id::text, ${OWNER}::text AS owner, m.request_id AS "requestId"`)
}

/** Renews the lease of a mail that takes long. */
export async function renewLease(worker: SystemContext, id: string): Promise<void> {
  await worker.sql(
    Prisma.sql`UPDATE outbox_messages SET sending_until = ${leaseEnd()} WHERE id = ${id}::uuid AND state = 'PENDING'`,
  )
}

/** Has a mail that could not be sent wait: two seconds at first, an hour at last. */
export async function postponeMail(worker: SystemContext, id: string): Promise<void> {
  await worker.sql(Prisma.sql`
    UPDATE outbox_messages SET sending_until = NULL,
      next_at = ${worker.now().toISOString()}::timestamptz
        + least(3600, 2 ^ least(attempts, 12)) * (0.75 + random() / 2) * interval '1 second'
    WHERE id = ${id}::uuid AND state = 'PENDING'`)
}

/** In real time: a sandbox's clock may be advanced while a mail is being sent. */
const leaseEnd = () => Prisma.sql`${secondsFrom(realNow(), LEASE_SECONDS).toISOString()}::timestamptz`
