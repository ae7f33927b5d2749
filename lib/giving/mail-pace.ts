import { HOUR, MINUTE, secondsFrom } from '../core/clock.ts'
import { AppError } from '../core/errors.ts'

/** Mails of one kind about one claim are so far apart, and so many go in an hour. */
const SPACING_SECONDS = MINUTE
export const MAX_PER_HOUR = 5

export const anHourBefore = (now: Date): Date => secondsFrom(now, -HOUR)

/**
 * Throws `rate_limited` while another mail must wait. `last`: when the newest one went that this one must keep a
 * distance from; `sent`: when the newest MAX_PER_HOUR of the last hour went, the newest first. `sentence` says until
 * when.
 */
export function assertPaced(
  { last, sent }: { last: Date | null; sent: readonly { createdAt: Date }[] },
  now: Date,
  sentence: (wait: string) => string,
): void {
  const secondsSince = (at: Date) => (now.getTime() - at.getTime()) / 1000
  const eldest = sent[MAX_PER_HOUR - 1]
  const seconds = Math.max(
    last ? SPACING_SECONDS - secondsSince(last) : 0,
    eldest ? HOUR - secondsSince(eldest.createdAt) : 0,
  )
  if (seconds <= 0) return
  const whole = Math.max(1, Math.ceil(seconds))
  const wait = whole <= 90 ? `${whole} seconds` : `${Math.ceil(whole / 60)} minutes`
  throw new AppError('rate_limited', sentence(wait), { retryAfterSeconds: whole })
}
