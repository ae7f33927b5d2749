import { DAY, HOUR, MINUTE, secondsFrom } from '../../core/clock.ts'

/** How long a receiver may take to answer. */
export const RESPONSE_TIMEOUT_SECONDS = 15

/**
 * Longer than a post can take. A process that leased a delivery and recorded no outcome by then is presumed dead;
 * another one posts it.
 */
export const LEASE_SECONDS = 60

/** How long a delivery is retried. */
const RETRY_PERIOD_SECONDS = 3 * DAY

/** How long all of a webhook's attempts may fail before it is disabled. */
export const MAX_FAILING_SECONDS = 5 * DAY

/** The wait after the first attempt, the second, and so on; the last one repeats. */
const RETRY_WAITS_SECONDS = [5, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR] as const

/** Random share by which each wait varies, so that deliveries that failed together are not retried together. */
const JITTER = 0.1

/**
 * When a delivery with this many failed attempts is tried next; null when its three days are over. The last attempt is
 * exactly at their end.
 * @param random 0..1
 */
export function nextAttemptAt(createdAt: Date, attempts: number, now: Date, random = Math.random()): Date | null {
  const end = secondsFrom(createdAt, RETRY_PERIOD_SECONDS)
  if (now >= end) return null
  const wait = RETRY_WAITS_SECONDS[Math.min(attempts, RETRY_WAITS_SECONDS.length) - 1] ?? RETRY_WAITS_SECONDS[0]
  const next = secondsFrom(now, wait * (1 + JITTER * (2 * random - 1)))
  return next < end ? next : end
}
