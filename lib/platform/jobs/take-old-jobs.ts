import { Prisma } from '../../../generated/prisma/client.ts'
import { oncePerProcess } from '../../core/once-per-process.ts'
import type { SystemContext } from '../auth/context.ts'
import { JOBS } from './jobs.ts'

// Processes of earlier releases add their jobs to the schema `pgboss`, and a backup of theirs brings some. A statement
// moves each of them, so that it is done by a process of either release and not by both. Jobs that this release doesn't
// know stay.

const BATCH = 500

const known = oncePerProcess('jobs of earlier releases', () => ({ areNone: false }))

async function exist(worker: SystemContext): Promise<boolean> {
  if (known.areNone) return false
  const found = await worker.sql(Prisma.sql`SELECT 1 WHERE to_regclass('pgboss.job') IS NOT NULL`)
  known.areNone = found.length === 0
  return !known.areNone
}

/** Moves old jobs that wait. It finds them by an index. Returns how many it moved. */
export const takeOldJobs = async (worker: SystemContext): Promise<number> =>
  (await exist(worker)) ? take(worker, Prisma.sql`state IN ('created', 'retry') AND NOT blocked`) : 0

/**
 * Moves old jobs whose worker ended, and deletes finished ones after their time, as the earlier release did. It reads
 * the whole table. Returns how many it moved.
 */
export async function takeLostOldJobs(worker: SystemContext): Promise<number> {
  if (!(await exist(worker))) return 0
  await worker.sql(Prisma.sql`
    DELETE FROM pgboss.job
    WHERE state IN ('completed', 'cancelled', 'failed')
      AND completed_on + make_interval(secs => deletion_seconds) < now()`)
  return take(
    worker,
    Prisma.sql`state = 'active' AND coalesce(
      heartbeat_on + make_interval(secs => heartbeat_seconds),
      started_on + make_interval(secs => expire_seconds)) < now()`,
  )
}

async function take(worker: SystemContext, which: Prisma.Sql): Promise<number> {
  const names = JOBS.map(({ name }) => name)
  let taken = 0
  for (let last = BATCH; last === BATCH; taken += last) {
    const moved = await worker.sql(Prisma.sql`
      WITH free AS MATERIALIZED (
        SELECT name, id FROM pgboss.job WHERE name = ANY(${names}::text[]) AND ${which}
        ORDER BY created_on, id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
      ), moved AS (
        DELETE FROM pgboss.job o USING free WHERE o.name = free.name AND o.id = free.id
        RETURNING o.id, o.name, o.state, o.data, o.singleton_key, o.retry_count, o.start_after, o.started_on,
          o.created_on
      ), added AS (
        INSERT INTO jobs (name, key, payload, request_id, tries, due_at, taken_at, created_at)
        SELECT name, singleton_key, data - 'request_id', data ->> 'request_id',
          CASE WHEN state = 'created' THEN 0 ELSE retry_count + 1 END, start_after,
          CASE WHEN state <> 'created' THEN coalesce(started_on, now()) END, created_on
        FROM moved ON CONFLICT DO NOTHING
      )
      SELECT id FROM moved`)
    last = moved.length
  }
  return taken
}
