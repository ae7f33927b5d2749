import type { Answer, Call, Endpoint } from '@/lib/platform/api/endpoint'
import { fetchOrUnreachable, jsonIn, type Once, requestOf } from '@/packages/client/src/call'
import { followAnswer } from './server-clock'

/**
 * An endpoint's method and path without its schemas, since page scripts must stay small. `E` is the type of the
 * endpoint, so a wrong method or path doesn't compile.
 */
type Route<E extends Endpoint> = { method: E['method']; path: E['path']; readonly typeOnly?: E }
export const route = <E extends Endpoint>(method: E['method'], path: E['path']): Route<E> => ({ method, path })

/**
 * The API on this page's own origin, each call once: pages decide themselves what to repeat. Throws a Problem when the
 * API refuses, and Unreachable when no response arrives.
 */
export async function api<E extends Endpoint>(route: Route<E>, input: Call<E>, once?: Once): Promise<Answer<E>> {
  const response = await fetchOrUnreachable(...requestOf(route, input, once))
  followAnswer(response)
  return (await jsonIn(response)) as Answer<E>
}
