import { setTimeout as wait } from 'node:timers/promises'

/** The work's value, or `fallback` when it rejects or takes longer than `timeoutMs`. The work itself is not stopped. */
export const withTimeout = <T, F>(work: Promise<T>, timeoutMs: number, fallback: F): Promise<T | F> =>
  Promise.race([work.catch(() => fallback), wait(timeoutMs, fallback, { ref: false })])
