import { createHash, randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Auth, Endpoint, Input, Output } from '../api/endpoint.ts'
import { authenticate, type Caller } from '../auth/authenticate.ts'
import { type Context, assertPermission, withIdempotency } from '../auth/context.ts'
import { assertModeCovers } from '../auth/modes.ts'
import { AppError, type FieldError, notFound } from '../../core/errors.ts'
import { sentenceOf } from '../../core/sentence.ts'
import type { Direct, DirectAnswer } from './hot/direct.ts'
import { beginIdempotent, readIdempotencyKey } from './idempotency.ts'
import { asAppError, logFailure, problem } from './problem.ts'
import { countRequest } from './rate-limit.ts'
import type { RequestHead } from './request-head.ts'
import { NO_BODY, readBody } from './sent-body.ts'

export type RouteContext = {
  params: Promise<Record<string, string | string[] | undefined>>
  /** Aborted when the answer is no longer awaited. Next gives none. */
  signal?: AbortSignal
}
export type Handler = ((request: Request, route: RouteContext) => Promise<Response>) & {
  endpoint: Endpoint
  /** The same answer with less work, for the front door (lib/platform/http/hot). */
  direct?: Direct | undefined
  /** The same answer to a GET without a Request and a Response. */
  read?: ((request: RequestHead, route: RouteContext) => Promise<DirectAnswer>) | undefined
}

export const isPublic = (endpoint: Endpoint) => endpoint.auth !== 'api_key'

export const CORS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'ETag, Idempotent-Replayed, RateLimit, RateLimit-Policy, Request-Id, Retry-After',
}

/**
 * Turns an endpoint and a verb into a plain `(Request) => Response`. Does once for all endpoints: authentication, rate limits,
 * validation, idempotency, encoding (which drops fields that the response schema doesn't name), errors (RFC 9457), ETags and CORS.
 * @param auth `anonymous` where the verb asks for the caller's proof itself, together with what it reads
 */
export function serve<const E extends Endpoint>(
  endpoint: E,
  handle: (ctx: Context, input: Input<E>) => Promise<Output<E>>,
  direct?: Direct,
  auth: Auth = endpoint.auth,
): Handler {
  const handler = async (request: Request, route: RouteContext) => {
    const requestId = requestIdOf(request)
    const headers: Record<string, string> = {}
    let response: Response
    try {
      const begun = await begin(endpoint, auth, request, route, requestId, headers)
      response = await answer(endpoint, handle as never, request, begun)
    } catch (error) {
      return failureOf(endpoint, error, request, requestId, headers)
    }
    return withHeaders(response, { ...headers, ...headersOf(endpoint, requestId) })
  }
  const read = async (request: RequestHead, route: RouteContext): Promise<DirectAnswer> => {
    const requestId = requestIdOf(request)
    const headers: Record<string, string> = {}
    try {
      const { ctx, url, params } = await begin(endpoint, auth, request, route, requestId, headers)
      const input = { ...pathAndQueryOf(endpoint, params, url.searchParams), body: undefined } as Input<E>
      const answered = readAnswer(endpoint, request, await handle(ctx, input))
      return { ...answered, headers: { ...answered.headers, ...headers, ...headersOf(endpoint, requestId) } }
    } catch (error) {
      return plainOf(failureOf(endpoint, error, request, requestId, headers))
    }
  }
  return Object.assign(handler, { endpoint, direct, ...(endpoint.method === 'GET' && !endpoint.stream && { read }) })
}

const headersOf = (endpoint: Endpoint, requestId: string) => ({
  'request-id': requestId,
  ...(isPublic(endpoint) && CORS),
})

export const plainOf = async (response: Response): Promise<DirectAnswer> => ({
  status: response.status,
  headers: Object.fromEntries(response.headers),
  body: Buffer.from(await response.arrayBuffer()),
})

/** The answer to a request that failed. */
export function failureOf(
  endpoint: Endpoint,
  error: unknown,
  request: { method: string; url: string },
  requestId: string,
  headers: Record<string, string> = {},
): Response {
  const failure = asAppError(error)
  logFailure(failure, request, requestId)
  const own = (error as { headers?: Record<string, string> } | null)?.headers
  return withHeaders(problem(failure, requestId), { ...headers, ...own, ...headersOf(endpoint, requestId) })
}

type Begun = { ctx: Context; url: URL; params: Record<string, string> }

/** Counts a request and authenticates it. `headers` gets those of the limits, also where it throws. */
async function begin(
  endpoint: Endpoint,
  auth: Auth,
  request: RequestHead,
  route: RouteContext,
  requestId: string,
  headers: Record<string, string>,
): Promise<Begun> {
  const params = stringsOf(await route.params)
  const caller: Caller = { requestId, clientAddress: clientAddressOf(request), signal: route.signal }
  if (isPublic(endpoint))
    Object.assign(
      headers,
      await countRequest(endpoint.method === 'GET' ? 'public-reads' : 'public-writes', caller.clientAddress),
    )
  const ctx = await authenticate(auth, request, params, caller).catch(async (error: unknown) => {
    const failed = !isPublic(endpoint) && error instanceof AppError && error.code === 'unauthenticated'
    if (failed) await countRequest('admin-failures', caller.clientAddress)
    throw error
  })
  if (!isPublic(endpoint))
    Object.assign(headers, await countRequest('admin', 'id' in ctx.actor ? ctx.actor.id : caller.clientAddress))
  if (endpoint.permission) assertPermission(ctx, endpoint.permission)

  return { ctx, url: new URL(request.url), params }
}

async function answer(
  endpoint: Endpoint,
  handle: (ctx: Context, input: unknown) => Promise<unknown>,
  request: Request,
  { ctx, url, params }: Begun,
): Promise<Response> {
  const sent = endpoint.body ? await readBody(endpoint, request) : NO_BODY
  const input = {
    ...pathAndQueryOf(endpoint, params, url.searchParams),
    body: endpoint.body && parse(endpoint.body, sent.value),
  }
  await assertModeCovers(ctx, endpoint, input.params)
  if (endpoint.stream) return streamResponse(endpoint, (await handle(ctx, input)) as AsyncIterable<string>)
  if (endpoint.method === 'GET') return readResponse(endpoint, request, await handle(ctx, input))

  const key = endpoint.method === 'POST' ? readIdempotencyKey(request, isPublic(endpoint)) : null
  if (key === null) return writeResponse(endpoint, encode(endpoint, await handle(ctx, input)))

  const scope = `${'permissions' in ctx.actor ? ctx.actor.id : 'keyless'} ${endpoint.method} ${endpoint.path}`
  const idempotency = await beginIdempotent(scope, key, `${url.pathname}${url.search}\n${sent.fingerprint}`)
  if (idempotency.replay)
    return withHeaders(writeResponse(endpoint, idempotency.replay.text), { 'idempotent-replayed': 'true' })
  const status = endpoint.status ?? 200
  let stored: string | undefined
  const storingResult: Context['storingResult'] = (result) => {
    stored = encode(endpoint, result)
    return idempotency.storing({ status, text: stored })
  }
  try {
    const requestKey = createHash('sha256').update(`${scope}\n${key}\n${sent.fingerprint}`).digest('base64url')
    const result = await handle(withIdempotency(ctx, { storingResult, requestKey }), input)
    if (stored !== undefined) return writeResponse(endpoint, stored)
    const encoded = encode(endpoint, result)
    await idempotency.store({ status, text: encoded })
    return writeResponse(endpoint, encoded)
  } catch (error) {
    await idempotency.release()
    throw error
  }
}

/** What a request says outside its body. Throws `invalid_request`, or `not_found` for a malformed id. */
export const pathAndQueryOf = (endpoint: Endpoint, params: Record<string, string>, query: URLSearchParams) => ({
  params: endpoint.params && parseParams(endpoint.params, params),
  query: endpoint.query && parse(endpoint.query, queryOf(query)),
})

const encode = (endpoint: Endpoint, value: unknown): string =>
  endpoint.status === 204 ? '' : JSON.stringify(z.encode(endpoint.response, value))

/** The body of an answer to a GET, and its ETag. */
export function contentOf(endpoint: Endpoint, value: unknown): { text: string; etag: string } {
  const text = endpoint.contentType?.startsWith('text/') ? String(value) : encode(endpoint, value)
  return { text, etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"` }
}

function writeResponse(endpoint: Endpoint, text: string): Response {
  const status = endpoint.status ?? 200
  return new Response(status === 204 ? null : text, {
    status,
    headers: { 'cache-control': 'no-store', ...(status !== 204 && { 'content-type': 'application/json' }) },
  })
}

function readResponse(endpoint: Endpoint, request: Request, value: unknown): Response {
  const { status, headers, body } = readAnswer(endpoint, request, value)
  return new Response(body as Uint8Array<ArrayBuffer> | null, { status, headers })
}

function readAnswer(endpoint: Endpoint, request: RequestHead, value: unknown): DirectAnswer {
  const { text, etag } = contentOf(endpoint, value)
  const headers = { etag, 'cache-control': isPublic(endpoint) ? 'no-cache' : 'private, no-cache' }
  const known = request.headers
    .get('if-none-match')
    ?.split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
  if (known?.includes(etag) || known?.includes('*')) return { status: 304, headers, body: null }
  return {
    status: endpoint.status ?? 200,
    headers: { ...headers, 'content-type': contentTypeOf(endpoint) },
    body: Buffer.from(text),
  }
}

/** The first piece is awaited before answering, so that a failure until then becomes an error response; a later one ends the stream. */
async function streamResponse(endpoint: Endpoint, pieces: AsyncIterable<string>): Promise<Response> {
  const iterator = pieces[Symbol.asyncIterator]()
  const text = new TextEncoder()
  let piece = await iterator.next()
  const body = new ReadableStream<Uint8Array>({
    async pull(stream) {
      if (piece.done) return stream.close()
      stream.enqueue(text.encode(piece.value))
      piece = await iterator.next()
    },
    cancel: async () => void (await iterator.return?.()),
  })
  const headers = {
    'content-type': contentTypeOf(endpoint),
    ...(endpoint.stream !== 'unnamed' && {
      'content-disposition': `attachment; filename="${endpoint.path.split('/').at(-1)}"`,
    }),
    'cache-control': 'private, no-store',
  }
  return new Response(body, { status: endpoint.status ?? 200, headers })
}

export const contentTypeOf = ({ contentType = 'application/json' }: Endpoint): string =>
  contentType.startsWith('text/') ? `${contentType}; charset=utf-8` : contentType

/** Each query parameter's value, or its values when it is repeated. An empty value counts as absent. */
function queryOf(given: URLSearchParams): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = {}
  for (const name of new Set(given.keys())) {
    const values = given.getAll(name).filter((value) => value !== '')
    if (values.length > 0) query[name] = values.length === 1 ? values[0]! : values
  }
  return query
}

/** A malformed id gives not_found like an unknown one; a malformed address gives invalid_request. */
function parseParams(schema: z.ZodObject, params: Record<string, string>): unknown {
  const result = schema.safeParse(params)
  if (result.success) return result.data
  if (result.error.issues.some((issue) => !String(issue.path[0]).endsWith('address'))) throw notFound()
  throw invalid(result.error)
}

export function parse(schema: z.ZodType, value: unknown): unknown {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw invalid(result.error)
}

function invalid(error: z.ZodError): AppError {
  const fields = error.issues.flatMap(fieldsOf)
  const first = fields[0]!
  const more = fields.length > 1 ? ` (and ${fields.length - 1} more)` : ''
  return new AppError('invalid_request', `${first.field ? `${first.field}: ` : ''}${first.detail}${more}`, { fields })
}

function fieldsOf(issue: z.core.$ZodIssue): FieldError[] {
  const at = issue.path.join('.')
  const within = (name: string) => (at ? `${at}.${name}` : name)
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((name) => ({ field: within(name), code: 'unknown_field', detail: 'There is no such field.' }))
  if (issue.code === 'invalid_type' && issue.input === undefined)
    return [{ field: at, code: 'required', detail: 'This field is required.' }]
  return [{ field: at, code: issue.code, detail: sentenceOf(issue.message) }]
}

const stringsOf = (params: Record<string, string | string[] | undefined> | undefined): Record<string, string> =>
  Object.fromEntries(Object.entries(params ?? {}).map(([name, value]) => [name, [value ?? ''].flat().join('/')]))

/** The client's address as our HTTP server determined it (TRUSTED_PROXIES); a client can't set this header itself. */
export const clientAddressOf = (request: RequestHead): string => request.headers.get('x-client-address') ?? '127.0.0.1'

export const requestIdOf = ({ headers }: RequestHead): string =>
  requestIdFrom(headers.get('request-id') ?? headers.get('x-request-id'))

/** The id that the client gave its request, or a new one. */
export const requestIdFrom = (given: string | null | undefined): string =>
  given && /^[\w.:-]{1,100}$/.test(given) ? given : randomUUID()

export function withHeaders(response: Response, headers: Record<string, string>): Response {
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value)
  return response
}
