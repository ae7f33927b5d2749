import type { Answer, Call, Endpoint } from '@/lib/platform/api/endpoint'
import { callOnce, type Once, Problem, Unreachable } from '@/packages/client/src/call'

/**
 * An endpoint's method and path without its schemas, since page scripts must stay small. `E` is the type of the endpoint, so a wrong method or
 * path doesn't compile.
 */
type Route<E extends Endpoint> = { method: E['method']; path: E['path']; readonly typeOnly?: E }
export const route = <E extends Endpoint>(method: E['method'], path: E['path']): Route<E> => ({ method, path })

/** The API on this page's own origin, each call once: pages decide themselves what to repeat. */
export const api = callOnce as <E extends Endpoint>(route: Route<E>, input: Call<E>, once?: Once) => Promise<Answer<E>>

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
