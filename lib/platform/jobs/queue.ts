import { type Db as BossDb, PgBoss } from 'pg-boss'
import type { z } from 'zod'
import { env } from '../../core/env.ts'
import { oncePerProcess } from '../../core/once-per-process.ts'
import { logFailing } from '../../db/log-failing.ts'
import { loginUrl } from '../../db/logins.ts'
import { type Call, call, type Value } from '../../db/statements.ts'
import type { AnyContext } from '../auth/context.ts'
import type { Job } from './job.ts'

export const BOSS_SCHEMA = 'pgboss'

/** A pg-boss instance. Only the worker's supervises the queues; the others only enqueue. */
export function openQueue({ supervise }: { supervise: boolean }): PgBoss {
  const boss = new PgBoss({
    connectionString: loginUrl(env.DATABASE_URL, 'vitrine_system'),
    application_name: 'vitrine_jobs',
    schema: BOSS_SCHEMA,
    max: supervise ? 3 : 1,
    migrate: false,
    createSchema: false,
    supervise,
    schedule: false,
    // Every so often a job whose worker stopped sending heartbeats (install.ts) is given to another. pg-boss needs both
    // intervals.
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
  })
  // Each of its pollers says the same, several times a second.
  boss.on('error', (error) => logFailing('job queue', error, 'The job queue reports an error.'))
  return boss
}

const shared = oncePerProcess<{ queue?: Promise<PgBoss> | undefined }>('job queue', () => ({}))

/** This process's instance for enqueueing, started at first use. */
function queue(): Promise<PgBoss> {
  shared.queue ??= openQueue({ supervise: false })
    .start()
    .catch((error: unknown) => {
      shared.queue = undefined
      throw error
    })
  return shared.queue
}

export async function closeQueue(): Promise<void> {
  const open = shared.queue
  shared.queue = undefined
  if (open) await (await open).stop({ graceful: false })
}

/**
 * Adds a job in the caller's transaction, so that it exists exactly when its cause is committed. While a job with the
 * same name and `key` is waiting, another one is not added.
 */
export function enqueue<S extends z.ZodType>(
  ctx: Enqueuing,
  job: Job<S>,
  payload: z.input<S>,
  options: { key?: string; startAfter?: Date } = {},
): Promise<void> {
  return enqueueAll(ctx, job, [{ payload, ...options }])
}

/** A job is found by the id of the request that added it, and so is what it writes. */
type Enqueuing = Pick<AnyContext, 'later' | 'requestId'>

/** A job that is to be added. */
type NewJob<S extends z.ZodType> = { payload: z.input<S>; key?: string; startAfter?: Date }

/** Adds many jobs of one kind in one statement. */
export async function enqueueAll<S extends z.ZodType>(
  ctx: Enqueuing,
  job: Job<S>,
  requests: readonly NewJob<S>[],
): Promise<void> {
  const { statement, values } = await enqueueCall(ctx, job, requests)
  await ctx.later(statement, ...values)
}

/** The statement that adds many jobs of one kind. */
export async function enqueueCall<S extends z.ZodType>(
  { requestId }: Pick<Enqueuing, 'requestId'>,
  job: Job<S>,
  requests: readonly NewJob<S>[],
): Promise<Call> {
  const boss = await queue()
  const calls: Call[] = []
  const db: BossDb = {
    executeSql: async (text, values = []) => {
      calls.push(call({ name: `enqueue_${job.name}`, text }, ...(values as Value[])))
      return { rows: [] }
    },
  }
  const jobs = requests.map(({ payload, key, startAfter }) => ({
    data: { ...(payload as object), request_id: requestId },
    ...(key && { singletonKey: key }),
    ...(startAfter && { startAfter }),
  }))
  await boss.insert(job.name, jobs, { db })
  return calls[0]!
}
