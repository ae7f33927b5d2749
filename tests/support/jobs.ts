import { Prisma } from '../../generated/prisma/client.ts'
import { systemClient } from '../../lib/db/client.ts'
import { runJob } from '../../lib/worker/run-jobs.ts'

type Waiting = { name: string; data: unknown }

/** Runs all waiting jobs, and those that they enqueue, in this process. Mail stays in the outbox. */
export async function drainJobs(): Promise<number> {
  const taken = await systemClient().$queryRaw<Waiting[]>(Prisma.sql`
    UPDATE pgboss.job SET state = 'completed', completed_on = now()
    WHERE state IN ('created', 'retry') RETURNING name, data`)
  for (const { name, data } of taken) await runJob({ name }, data)
  return taken.length === 0 ? 0 : taken.length + (await drainJobs())
}
