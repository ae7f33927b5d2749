import { createClient, Problem, Unreachable } from '@/lib/platform/api/client'

/** The API on this page's own origin. */
export const api = createClient()

/** What to tell a person about a failed call. */
export function failureSentence(failure: unknown): string {
  if (failure instanceof Problem)
    return failure.code === 'rate_limited' ? waitSentence(failure.retryAfterSeconds) : failure.detail
  if (failure instanceof Unreachable) return 'We can’t be reached right now. Check your connection and try again.'
  return 'Something went wrong. Please try again.'
}

function waitSentence(seconds: number | null): string {
  if (!seconds) return 'That was a little fast. Please wait a moment and try again.'
  if (seconds < 90) return `Please wait ${seconds} seconds and try again.`
  return `Please wait ${Math.ceil(seconds / 60)} minutes and try again.`
}
