import type { Answer, Call, Endpoint } from '@/lib/platform/api/endpoint'
import { callOnce, type Once } from '@/packages/client/src/call'

/**
 * An endpoint's method and path without its schemas, since page scripts must stay small. `E` is the type of the endpoint, so a wrong method or
 * path doesn't compile.
 */
type Route<E extends Endpoint> = { method: E['method']; path: E['path']; readonly typeOnly?: E }
export const route = <E extends Endpoint>(method: E['method'], path: E['path']): Route<E> => ({ method, path })

/** The API on this page's own origin, each call once: pages decide themselves what to repeat. */
export const api = callOnce as <E extends Endpoint>(route: Route<E>, input: Call<E>, once?: Once) => Promise<Answer<E>>
