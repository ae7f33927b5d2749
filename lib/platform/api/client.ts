import type { ErrorCode, FieldError } from '../../core/errors.ts'
import type { Answer, Call, Endpoint, Output } from './endpoint.ts'

/** A refusal by the API. `detail` may be shown to a person as it is. */
export class Problem extends Error {
  readonly status: number
  readonly code: ErrorCode | 'unknown'
  readonly detail: string
  readonly fields: FieldError[]
  readonly retryAfterSeconds: number | null
  /** The whole problem body, with the members that only some errors have, such as `tries_left`. */
  readonly body: Record<string, unknown>

  constructor(status: number, body: Record<string, unknown>, retryAfter: string | null) {
    const detail = typeof body.detail === 'string' ? body.detail : 'Something went wrong on our side. Please try again.'
    super(detail)
    this.status = status
    // The server sends codes of ERRORS only. Checking that here would bring the whole table into every page.
    this.code = typeof body.code === 'string' ? (body.code as ErrorCode) : 'unknown'
    this.detail = detail
    this.fields = Array.isArray(body.errors) ? (body.errors as FieldError[]) : []
    this.retryAfterSeconds = retryAfter && /^\d+$/.test(retryAfter) ? Number(retryAfter) : null
    this.body = body
  }
}

/** No response arrived: the browser is offline, or the server is down. */
export class Unreachable extends Error {}

/**
 * An endpoint's method and path without its schemas, for pages whose scripts must stay small. `E` is the type of the
 * endpoint, so a wrong method or path doesn't compile.
 */
export type Route<E extends Endpoint> = { method: E['method']; path: E['path']; readonly typeOnly?: E }
export const route = <E extends Endpoint>(method: E['method'], path: E['path']): Route<E> => ({ method, path })

type CallOptions = { idempotencyKey?: string; signal?: AbortSignal | undefined }
type Client = {
  /** Decodes the response: dates are dates, amounts are bigints. */
  <E extends Endpoint>(endpoint: E, input: Call<E>, options?: CallOptions): Promise<Output<E>>
  /** Returns the response as it is on the wire. */
  <E extends Endpoint>(route: Route<E>, input: Call<E>, options?: CallOptions): Promise<Answer<E>>
}

type ClientOptions = {
  /** Without a trailing slash; empty for the page's own origin. */
  origin?: string
  key?: string
  send?: (url: string, init: RequestInit) => Promise<Response>
}

/**
 * The typed client of the API: `api(listItems, { query: { limit: 5 } })`. Throws a Problem when the API refuses, and
 * Unreachable when no response arrives. Imports nothing at run time, so any page can afford it.
 */
export function createClient({ origin = '', key, send = fetchOrUnreachable }: ClientOptions = {}): Client {
  return async (
    { method, path, response: schema }: { method: string; path: string; response?: Endpoint['response'] },
    input: { params?: object; query?: object; body?: unknown },
    options: CallOptions = {},
  ) => {
    const { params = {}, query = {}, body } = input
    const response = await send(`${origin}${pathOf(path, params)}${searchOf(query)}`, {
      method,
      headers: {
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(key && { authorization: `Bearer ${key}` }),
        ...(options.idempotencyKey && { 'idempotency-key': options.idempotencyKey }),
      },
      ...(body !== undefined && { body: JSON.stringify(body, bigintsAsText) }),
      ...(options.signal && { signal: options.signal }),
    })
    const answer = response.status === 204 ? undefined : await response.json().catch(() => null)
    if (!response.ok || answer === null)
      throw new Problem(response.status, objectOf(answer), response.headers.get('retry-after'))
    return schema ? schema.decode(answer) : answer
  }
}

/** `fetch` without a referrer, since some pages have a secret in their address. Throws Unreachable when no response arrives. */
export function fetchOrUnreachable(url: string, init: RequestInit): Promise<Response> {
  return fetch(url, { ...init, referrerPolicy: 'no-referrer' }).catch((cause: unknown) => {
    throw new Unreachable('No response arrived.', { cause })
  })
}

/** A JSON value as an object, empty when it is none. */
export const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

const pathOf = (path: string, params: object): string =>
  Object.entries(params).reduce(
    (filled, [name, value]) => filled.replace(`{${name}}`, encodeURIComponent(String(value))),
    path,
  )

function searchOf(query: object): string {
  const pairs = Object.entries(query).flatMap(([name, value]: [string, unknown]) =>
    [value]
      .flat()
      .filter((one) => one !== undefined && one !== null)
      .map((one) => [name, String(one)]),
  )
  return pairs.length > 0 ? `?${new URLSearchParams(pairs)}` : ''
}

const bigintsAsText = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? value.toString() : value)
