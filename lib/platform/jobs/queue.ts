import { type Db as BossDb, PgBoss } from 'pg-boss'
import type { z } from 'zod'
import { env } from '../../core/env.ts'
import { log } from '../../core/log.ts'
import type { Reach } from '../../db/scope.ts'
import type { Job } from './job.ts'

export const BOSS_SCHEMA = 'pgboss'

/** A handle on the job tables. The worker's supervises and runs; the others only put jobs in. */
export function openQueue({ supervise }: { supervise: boolean }): PgBoss {
  const boss = new PgBoss({
    connectionString: env.DATABASE_URL,
    options: '-c role=vitrine_system -c timezone=UTC',
    application_name: 'vitrine_jobs',
    schema: BOSS_SCHEMA,
    max: supervise ? 6 : 2,
    migrate: false,
    createSchema: false,
    supervise,
    schedule: false,
    monitorIntervalSeconds: 5,
  })
  boss.on('error', (error) => log.error({ error }, 'The job queue reports an error.'))
  return boss
}

const shared = globalThis as { vitrineQueue?: Promise<PgBoss> | undefined }

/** This process's handle for enqueueing, opened at first use. */
export function queue(): Promise<PgBoss> {
  shared.vitrineQueue ??= openQueue({ supervise: false })
    .start()
    .catch((error: unknown) => {
      shared.vitrineQueue = undefined
      throw error
    })
  return shared.vitrineQueue
}

export async function closeQueue(): Promise<void> {
  const open = shared.vitrineQueue
  shared.vitrineQueue = undefined
  if (open) await (await open).stop({ graceful: false })
}

/**
 * Puts a job into the caller's transaction: it exists exactly when the cause does. `key` makes it one: while a job of that
 * name and key waits, another isn't added.
 */
export function enqueue<S extends z.ZodType>(
  ctx: Pick<Reach, 'statement'>,
  job: Job<S>,
  payload: z.input<S>,
  options: { key?: string; startAfter?: Date } = {},
): Promise<void> {
  return enqueueAll(ctx, job, [{ payload, ...options }])
}

/** The same for many of a kind, in one statement. */
export async function enqueueAll<S extends z.ZodType>(
  ctx: Pick<Reach, 'statement'>,
  job: Job<S>,
  orders: readonly { payload: z.input<S>; key?: string; startAfter?: Date }[],
): Promise<void> {
  const boss = await queue()
  const db: BossDb = { executeSql: async (text, values) => ({ rows: await ctx.statement(text, values ?? []) }) }
  const jobs = orders.map(({ payload, key, startAfter }) => ({
    data: payload as object,
    ...(key && { singletonKey: key }),
    ...(startAfter && { startAfter }),
  }))
  await boss.insert(job.name, jobs, { db })
}
