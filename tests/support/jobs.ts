import { Prisma } from '../../generated/prisma/client.ts'
import { systemClient } from '../../lib/db/client.ts'
import { runJob } from '../../lib/worker/run-jobs.ts'

type Waiting = { name: string; payload: unknown; requestId: string }

/** Runs all waiting jobs, and those that they enqueue, in this process. Mail stays in the outbox. */
export async function drainJobs(): Promise<number> {
  const taken = await systemClient().$queryRaw<Waiting[]>(Prisma.sql`
    DELETE FROM jobs WHERE lease IS NULL AND failed_at IS NULL RETURNING name, payload, request_id AS "requestId"`)
  for (const { name, payload, requestId } of taken) await runJob({ name }, payload, requestId)
  return taken.length === 0 ? 0 : taken.length + (await drainJobs())
}
