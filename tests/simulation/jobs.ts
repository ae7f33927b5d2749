import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { systemClient } from '../../lib/db/client.ts'
import { endJob, failJob, leaseJobs } from '../../lib/platform/jobs/lease-jobs.ts'
import { JOBS } from '../../lib/platform/jobs/jobs.ts'
import { runJob } from '../../lib/worker/run-jobs.ts'

/** After this long, a job whose worker was killed is given to another. */
const LOST_SECONDS = 60

/** Does the next due job as lib/worker/run-jobs.ts does, whose own timers run by the real clock. */
export async function runOneJob(): Promise<void> {
  const db = systemClient()
  const [next] = await db.$queryRaw<{ name: string }[]>`
    SELECT name FROM jobs WHERE failed_at IS NULL AND due_at <= now() ORDER BY due_at, created_at, id LIMIT 1`
  const kind = JOBS.find(({ name }) => name === next?.name)
  if (!kind) return
  const worker = systemContext('jobs')
  const [job] = await leaseJobs(worker, [{ ...kind, most: 1 }], { busy: new Map() })
  if (!job || job.failed) return
  // Nothing renews a lease here, so it is long at once.
  await db.$executeRaw`UPDATE jobs SET due_at = now() + make_interval(secs => ${LOST_SECONDS}) WHERE id = ${job.id}::uuid`
  await runJob(job, job.payload, job.requestId ?? undefined).then(
    () => endJob(worker, job),
    (error: unknown) => failJob(worker, job, kind, String(error)),
  )
}
