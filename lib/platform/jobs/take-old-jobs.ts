import { Prisma } from '../../../generated/prisma/client.ts'
import { oncePerProcess } from '../../core/once-per-process.ts'
import type { SystemContext } from '../auth/context.ts'
import { JOBS } from './jobs.ts'

const BATCH = 500

const known = oncePerProcess('jobs of earlier releases', () => ({ areNone: false }))

/**
 * Moves jobs that processes of earlier releases added to the schema `pgboss`, or that a backup of theirs had: those
 * that wait, and those whose worker ended. A statement moves each of them, so that it is done by a process of either
 * release and not by both. Jobs that this release doesn't know stay. Returns how many it moved.
 */
export async function takeOldJobs(worker: SystemContext): Promise<number> {
  if (known.areNone) return 0
  const [{ exists } = { exists: false }] = await worker.sql<{ exists: boolean }>(
    Prisma.sql`SELECT to_regclass('pgboss.job') IS NOT NULL AS exists`,
  )
  known.areNone = !exists
  if (!exists) return 0
  let moved = 0
  for (let last = BATCH; last === BATCH; moved += last) last = await takeBatch(worker)
  return moved
}

async function takeBatch(worker: SystemContext): Promise<number> {
  const moved = await worker.sql(Prisma.sql`
    WITH free AS MATERIALIZED (
      SELECT name, id FROM pgboss.job
      WHERE name = ANY(${JOBS.map(({ name }) => name)}::text[]) AND (state IN ('created', 'retry') OR (state = 'active'
        AND coalesce(heartbeat_on + make_interval(secs => heartbeat_seconds), started_on + make_interval(secs => expire_seconds)) < now()))
      ORDER BY created_on, id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
    ), moved AS (
      DELETE FROM pgboss.job o USING free WHERE o.name = free.name AND o.id = free.id
      RETURNING o.id, o.name, o.state, o.data, o.singleton_key, o.retry_count, o.start_after, o.started_on, o.created_on
    ), added AS (
      INSERT INTO jobs (name, key, payload, request_id, tries, due_at, taken_at, created_at)
      SELECT name, singleton_key, data - 'request_id', data ->> 'request_id', CASE WHEN state = 'created' THEN 0 ELSE retry_count + 1 END,
        start_after, CASE WHEN state <> 'created' THEN coalesce(started_on, now()) END, created_on
      FROM moved ON CONFLICT DO NOTHING
    )
    SELECT id FROM moved`)
  return moved.length
}
