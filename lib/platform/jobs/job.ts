import type { z } from 'zod'

/** The definition of a background job. Its payload holds ids of rows, an address at most, and no secrets. */
export type Job<S extends z.ZodType = z.ZodType> = {
  name: string
  payload: S
  /** How often a failed job is retried. The delay starts at firstDelaySeconds and doubles up to maxDelaySeconds. */
  retries: number
  firstDelaySeconds: number
  maxDelaySeconds: number
  /** It has a whole file in memory: a worker takes few of them at once. */
  holdsFile?: true
}

/**
 * Declares a job. Its handler is registered in lib/worker, so that code that enqueues it does not import the handler.
 */
export const defineJob = <S extends z.ZodType>(job: Job<S>): Job<S> => job
