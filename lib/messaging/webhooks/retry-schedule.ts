import { DAY, HOUR, MINUTE, secondsFrom } from '../../core/clock.ts'

/** How long a receiver may take. */
export const RESPONSE_TIMEOUT_SECONDS = 15

/** Longer than a post can take: whoever took a delivery and didn't note how it went in this time is taken for dead, and it is posted again. */
export const LEASE_SECONDS = 60

/** How long a delivery is tried. */
const RETRY_PERIOD_SECONDS = 3 * DAY

/** How long a receiver may do nothing but fail. */
export const MAX_FAILING_SECONDS = 5 * DAY

/** The waits after the first attempt, the second, and so on; the last one repeats itself. */
const RETRY_WAITS_SECONDS = [5, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR] as const

/** Of each wait, so that what failed together doesn't come back together. */
const JITTER = 0.1

/**
 * When a delivery that has failed so many times is tried next; null when its three days are over. Its last try is at their very end.
 * @param random 0..1
 */
export function nextAttemptAt(createdAt: Date, attempts: number, now: Date, random = Math.random()): Date | null {
  const end = secondsFrom(createdAt, RETRY_PERIOD_SECONDS)
  if (now >= end) return null
  const wait = RETRY_WAITS_SECONDS[Math.min(attempts, RETRY_WAITS_SECONDS.length) - 1] ?? RETRY_WAITS_SECONDS[0]
  const next = secondsFrom(now, wait * (1 + JITTER * (2 * random - 1)))
  return next < end ? next : end
}
