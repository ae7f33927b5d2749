import type { z } from 'zod'

/** A thing to do later, in the worker. Its payload names rows; whatever is secret stays in the row. */
export type Job<S extends z.ZodType = z.ZodType> = {
  name: string
  payload: S
  /** How often it may fail, and how long the first wait is; waits double up to maxDelaySeconds. */
  retries: number
  firstDelaySeconds: number
  maxDelaySeconds: number
}

/** Declares a job. What it does is wired in lib/worker, so that whoever enqueues it needn't import the doing. */
export const defineJob = <S extends z.ZodType>(job: Job<S>): Job<S> => job
