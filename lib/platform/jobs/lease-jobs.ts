import { Prisma } from '../../../generated/prisma/client.ts'
import { newId } from '../../core/id.ts'
import { carryOutTogether, type Together } from '../../core/group-commit.ts'
import { isTemporary } from '../../db/errors.ts'
import { retryingRaces } from '../../db/retrying-races.ts'
import type { SystemContext } from '../auth/context.ts'
import type { Room } from './due-work.ts'
import type { Job } from './job.ts'

/** A worker that neither ended a job nor renewed its lease for so long is presumed dead; another one does the job. */
const LEASE_SECONDS = 10
/** A job that was postponed is looked at again after this. */
const POSTPONED_SECONDS = 60

/** A job that this process has leased. */
export type LeasedJob = { id: string; lease: string; name: string; payload: unknown; requestId: string | null }

type Kind = Pick<Job, 'name' | 'retries'> & { most: number }
type Taken = LeasedJob & { failed: boolean }

/**
 * Leases due jobs of these kinds to this process, `most` of each at once, so that a slow kind doesn't delay the others.
 * A job whose worker ended has failed once; `failed`: that was its last try, and it isn't done again.
 */
export async function leaseJobs(
  worker: SystemContext,
  kinds: readonly Kind[],
  { busy }: Pick<Room, 'busy'>,
): Promise<Taken[]> {
  const free = kinds
    .map(({ name, retries, most }) => ({ name, retries, room: most - (busy.get(name) ?? 0) }))
    .filter(({ room }) => room > 0)
  const lease = newId()
  const isLast = Prisma.sql`(j.lease IS NOT NULL AND j.tries >= k.retries)`
  return worker.sql<Taken>(Prisma.sql`
    WITH kinds AS (SELECT * FROM unnest(
      ${free.map(({ name }) => name)}::text[], ${free.map(({ room }) => room)}::int[],
      ${free.map(({ retries }) => retries)}::int[]
    ) AS k (name, room, retries)), due AS MATERIALIZED (
      SELECT d.id FROM kinds k CROSS JOIN LATERAL (
        SELECT q.id FROM jobs q WHERE q.name = k.name AND q.failed_at IS NULL AND q.due_at <= now()
        ORDER BY q.due_at, q.id LIMIT k.room FOR NO KEY UPDATE SKIP LOCKED
      ) d
    )
    UPDATE jobs j SET tries = j.tries + (j.lease IS NOT NULL)::int,
      last_error = CASE WHEN j.lease IS NOT NULL THEN 'Its worker ended.' ELSE j.last_error END,
      lease = CASE WHEN NOT ${isLast} THEN ${lease}::uuid END, failed_at = CASE WHEN ${isLast} THEN now() END,
      taken_at = coalesce(j.taken_at, now()), due_at = ${leaseEnd}
    FROM kinds k WHERE k.name = j.name AND j.id = ANY(ARRAY(SELECT id FROM due))
    RETURNING j.id::text, ${lease} AS lease, j.name, j.payload, j.request_id AS "requestId",
      j.failed_at IS NOT NULL AS failed`)
}

const leaseEnd = Prisma.sql`now() + make_interval(secs => ${LEASE_SECONDS})`

/** Renews the lease of a job that takes long. */
export async function renewLease(worker: SystemContext, { id, lease }: LeasedJob): Promise<void> {
  await worker.sql(Prisma.sql`UPDATE jobs SET due_at = ${leaseEnd} WHERE id = ${id}::uuid AND lease = ${lease}::uuid`)
}

// What ended goes out with what else did. Rows are locked in the order of their ids.
const ENDING: Together<{ worker: SystemContext; job: LeasedJob }, void> = {
  key: 'done jobs',
  most: 100,
  waiting: 10_000,
  isShared: isTemporary,
  work: async (orders) => {
    const jobs = orders.map(({ job }) => job)
    await retryingRaces(() =>
      orders[0]!.worker.sql(Prisma.sql`
        WITH ended AS MATERIALIZED (
          SELECT j.id FROM jobs j
          JOIN unnest(${jobs.map(({ id }) => id)}::uuid[], ${jobs.map(({ lease }) => lease)}::uuid[]) AS e (id, lease)
            ON e.id = j.id AND e.lease = j.lease
          ORDER BY j.id FOR UPDATE OF j
        )
        DELETE FROM jobs j USING ended WHERE j.id = ended.id`),
    )
    return orders.map(() => undefined)
  },
}

/** The job is done: nothing of it stays. */
export const endJob = (worker: SystemContext, job: LeasedJob): Promise<void> =>
  carryOutTogether(ENDING, { worker, job })

/**
 * Records that a try failed. The next one waits, longer each time, up to the kind's longest pause. Says whether it was
 * the last one.
 */
export async function failJob(
  worker: SystemContext,
  { id, lease }: LeasedJob,
  { retries, firstDelaySeconds, maxDelaySeconds }: Job,
  error: string,
): Promise<boolean> {
  const [row] = await worker.sql<{ isLast: boolean }>(Prisma.sql`
    UPDATE jobs SET tries = tries + 1, last_error = ${error}, lease = NULL,
      failed_at = CASE WHEN tries >= ${retries} THEN now() END,
      due_at = now() + make_interval(
        secs => least(${maxDelaySeconds}, ${firstDelaySeconds} * 2 ^ least(tries, 20) * (1 + random())))
    WHERE id = ${id}::uuid AND lease = ${lease}::uuid RETURNING failed_at IS NOT NULL AS "isLast"`)
  return row?.isLast ?? false
}

/**
 * Has a job wait that can't be done at the moment, which uses up none of its tries. Where another with its key waits,
 * that one does its work.
 */
export async function postponeJob(worker: SystemContext, { id, lease }: LeasedJob): Promise<void> {
  await worker.sql(Prisma.sql`
    WITH postponed AS (DELETE FROM jobs WHERE id = ${id}::uuid AND lease = ${lease}::uuid RETURNING *)
    INSERT INTO jobs (name, key, payload, request_id, tries, created_at, due_at)
    SELECT name, coalesce(key, id::text), payload, request_id, tries, created_at,
      now() + make_interval(secs => ${POSTPONED_SECONDS})
    FROM postponed ON CONFLICT DO NOTHING`)
}
