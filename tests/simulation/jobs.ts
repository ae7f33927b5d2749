import { Prisma } from '../../generated/prisma/client.ts'
import { systemClient } from '../../lib/db/client.ts'
import { runJob } from '../../lib/worker/run-jobs.ts'

type Taken = { id: string; name: string; data: unknown }

/** After this long, a job whose worker was killed is given to another. */
const LOST_SECONDS = 60

/** Runs the next waiting job as the queue does (lib/worker/run-jobs.ts), whose own timers run by the real clock. */
export async function runOneJob(): Promise<void> {
  const db = systemClient()
  const [job] = await db.$queryRaw<Taken[]>(Prisma.sql`
    UPDATE pgboss.job SET state = 'active', started_on = now() WHERE id = (
      SELECT id FROM pgboss.job
      WHERE (state IN ('created', 'retry') AND start_after <= now()) OR (state = 'active' AND started_on < now() - make_interval(secs => ${LOST_SECONDS}))
      ORDER BY created_on, id LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING id::text, name, data`)
  if (!job) return
  const ended = await runJob(job, job.data).then(
    () => true,
    () => false,
  )
  await db.$executeRaw(
    ended
      ? Prisma.sql`UPDATE pgboss.job SET state = 'completed', completed_on = now() WHERE id = ${job.id}::uuid`
      : Prisma.sql`UPDATE pgboss.job SET state = 'retry', retry_count = retry_count + 1, start_after = now() + interval '5 seconds' WHERE id = ${job.id}::uuid`,
  )
}
