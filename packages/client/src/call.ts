import type { ErrorCode, FieldError } from './api.ts'

/** A refusal by the API. `detail` may be shown to a person as it is. */
export class Problem extends Error {
  readonly status: number
  readonly code: ErrorCode | 'unknown'
  readonly detail: string
  readonly fields: FieldError[]
  readonly retryAfterSeconds: number | null
  /** Names the request in the server's logs. */
  readonly requestId: string | null
  /** The whole problem body, with the members that only some errors have, such as `tries_left`. */
  readonly body: Record<string, unknown>

  constructor(status: number, body: Record<string, unknown>, retryAfter: string | null) {
    const detail = typeof body.detail === 'string' ? body.detail : 'Something went wrong on our side. Please try again.'
    super(detail)
    this.status = status
    // The server sends codes of its table only. Checking that here would bring the whole table into every page.
    this.code = typeof body.code === 'string' ? (body.code as ErrorCode) : 'unknown'
    this.detail = detail
    this.fields = Array.isArray(body.errors) ? (body.errors as FieldError[]) : []
    this.retryAfterSeconds = Number(retryAfter) || null
    this.requestId = (body.request_id as string | undefined) ?? null
    this.body = body
  }
}

/**
 * No response arrived in time: this machine is offline, or the server is down. What was asked for may have been done.
 */
export class Unreachable extends Error {}

/** An operation's method and path, with its parameters in braces. */
export type Route = { method: string; path: string }
export type Input = { params?: object; query?: object; body?: unknown }
export type Send = (url: string, init: RequestInit) => Promise<Response>
export type Once = { idempotencyKey?: string; signal?: AbortSignal | undefined }

/** What to fetch for a call. */
export function requestOf(
  { method, path }: Route,
  { params = {}, query = {}, body }: Input,
  { idempotencyKey, signal }: Once = {},
): [url: string, init: RequestInit & { headers: Record<string, string> }] {
  const headers = {
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
  }
  return [
    pathOf(path, params) + searchOf(query),
    {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body, bigintsAsText) }),
      ...(signal && { signal }),
    },
  ]
}

/**
 * The JSON in a response, undefined where there is none. Throws a Problem when the API refused, and Unreachable when it
 * broke off.
 */
export async function jsonIn(response: Response): Promise<unknown> {
  if (response.status === 204) return undefined
  const answer: unknown = await response.json().catch(() => null)
  if (!response.ok) throw new Problem(response.status, objectOf(answer), response.headers.get('retry-after'))
  if (answer === null) throw new Unreachable('The response broke off.')
  return answer
}

/**
 * `fetch` without a referrer, since some pages have a secret in their address. Throws Unreachable when no response
 * arrives.
 */
export function fetchOrUnreachable(url: string, init: RequestInit): Promise<Response> {
  return fetch(url, { ...init, referrerPolicy: 'no-referrer' }).catch((cause: unknown) => {
    throw new Unreachable('No response arrived.', { cause })
  })
}

/** A JSON value as an object, empty when it is none. */
export const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

/** An empty part, or one of dots, would make it the path of another operation. */
const pathOf = (path: string, params: object): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String((params as Record<string, unknown>)[name] ?? '')
    if (/^\.{0,2}$/.test(value)) throw new TypeError(`“${value}” can’t be the ${name} of ${path}.`)
    return encodeURIComponent(value)
  })

/** A list is a parameter for each of its values. */
function searchOf(query: object): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    for (const one of [value].flat()) if (one != null) search.append(name, String(one))
  const text = search.toString()
  return text && `?${text}`
}

const bigintsAsText = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? value.toString() : value)
