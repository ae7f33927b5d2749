import type { z } from 'zod'
import { type Call, call, type Statement } from '../../db/statements.ts'
import type { AnyContext } from '../auth/context.ts'
import type { Job } from './job.ts'

/** A job that is to be added. */
type NewJob<S extends z.ZodType> = { payload: z.input<S>; key?: string; startAfter?: Date }

/** A job is found by the id of the request that added it, and so is what it writes. */
type Enqueuing = Pick<AnyContext, 'later' | 'requestId'>

/**
 * Adds a job in the caller's transaction, so that it exists exactly when its cause is committed. While a job with the
 * same name and `key` is waiting, another one is not added: that one sees this cause, too.
 */
export const enqueue = <S extends z.ZodType>(
  ctx: Enqueuing,
  job: Job<S>,
  payload: z.input<S>,
  options: { key?: string; startAfter?: Date } = {},
): Promise<void> => enqueueAll(ctx, job, [{ payload, ...options }])

/** Adds many jobs of one kind in one statement. */
export async function enqueueAll<S extends z.ZodType>(
  ctx: Enqueuing,
  job: Job<S>,
  requests: readonly NewJob<S>[],
): Promise<void> {
  const { statement, values } = enqueueCall(ctx, job, requests)
  await ctx.later(statement, ...values)
}

const ADD: Statement = { name: 'add_jobs', text: 'SELECT add_jobs($1, $2, $3::jsonb)' }

/** The statement that adds many jobs of one kind. */
export const enqueueCall = <S extends z.ZodType>(
  { requestId }: Pick<Enqueuing, 'requestId'>,
  { name }: Job<S>,
  requests: readonly NewJob<S>[],
): Call => {
  const jobs = requests.map(({ payload, key, startAfter: due }) => ({ key, payload, due }))
  return call(ADD, name, requestId, JSON.stringify(jobs))
}
