import { z } from 'zod'
import { AppError, type ErrorCode, ERRORS, type FieldError } from '../../core/errors.ts'
import type { Call, Endpoint, Output } from './endpoint.ts'

type Send = (url: string, init: RequestInit) => Promise<Response>
export type ClientOptions = {
  /** Without a trailing slash; empty for the page's own origin. */
  origin?: string
  key?: string
  send?: Send
}
export type CallOptions = { idempotencyKey?: string; signal?: AbortSignal }

/**
 * Calls any endpoint with its types: `api(listItems, { query: { limit: 5 } })`. Answers are decoded (dates are dates,
 * amounts are bigints); a failure is thrown as the AppError it was on the other side.
 */
export function createClient({ origin = '', key, send = fetch }: ClientOptions = {}) {
  return async function api<E extends Endpoint>(
    endpoint: E,
    input: Call<E>,
    options: CallOptions = {},
  ): Promise<Output<E>> {
    const { params = {}, query = {}, body } = input as { params?: object; query?: object; body?: unknown }
    const response = await send(`${origin}${pathOf(endpoint.path, params)}${searchOf(query)}`, {
      method: endpoint.method,
      headers: {
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(key && { authorization: `Bearer ${key}` }),
        ...(options.idempotencyKey && { 'idempotency-key': options.idempotencyKey }),
      },
      ...(body !== undefined && { body: JSON.stringify(body, bigintsAsText) }),
      ...(options.signal && { signal: options.signal }),
    })
    if (!response.ok) throw await failureOf(response)
    const answer: unknown = response.status === 204 ? undefined : await response.json()
    return z.decode(endpoint.response, answer) as Output<E>
  }
}

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

type Problem = { code?: string; detail?: string; errors?: FieldError[]; [extra: string]: unknown }

async function failureOf(response: Response): Promise<AppError> {
  const problem = (await response.json().catch(() => ({}))) as Problem
  const code =
    problem.code !== undefined && problem.code in ERRORS
      ? (problem.code as ErrorCode)
      : response.status === 503
        ? 'unavailable'
        : 'internal'
  const retryAfter = Number(response.headers.get('retry-after'))
  return new AppError(code, problem.detail ?? 'The server gave no reason.', {
    fields: problem.errors ?? [],
    extra: problem,
    ...(retryAfter > 0 && { retryAfterSeconds: retryAfter }),
  })
}
