import { createHash, randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Endpoint, Input, Output } from '../api/endpoint.ts'
import { authenticate, type Caller } from '../auth/authenticate.ts'
import { type Context, assertPermission, withIdempotency } from '../auth/context.ts'
import { assertModeCovers } from '../auth/modes.ts'
import { AppError, type FieldError, notFound } from '../../core/errors.ts'
import { sentenceOf } from '../../core/sentence.ts'
import { MAX_BODY_BYTES, MAX_FILE_BYTES, MAX_UPLOAD_BYTES, sizeText } from './body-limits.ts'
import type { Direct } from './hot/direct.ts'
import { beginIdempotent, readIdempotencyKey } from './idempotency.ts'
import { asAppError, logFailure, problem } from './problem.ts'
import { countRequest } from './rate-limit.ts'
import { formOf, readBodyBytes } from './request-body.ts'

export type RouteContext = {
  params: Promise<Record<string, string | string[] | undefined>>
  /** Aborted when the answer is no longer awaited. Next gives none. */
  signal?: AbortSignal
}
export type Handler = ((request: Request, route: RouteContext) => Promise<Response>) & {
  endpoint: Endpoint
  /** The same answer with less work, for the front door (lib/platform/http/hot). */
  direct?: Direct | undefined
}

export const isPublic = (endpoint: Endpoint) => endpoint.auth !== 'api_key'

export const CORS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'ETag, Idempotent-Replayed, RateLimit, RateLimit-Policy, Request-Id, Retry-After',
}

/**
 * Turns an endpoint and a verb into a plain `(Request) => Response`. Does once for all endpoints: authentication, rate limits,
 * validation, idempotency, encoding (which drops fields that the response schema doesn't name), errors (RFC 9457), ETags and CORS.
 */
export function serve<const E extends Endpoint>(
  endpoint: E,
  handle: (ctx: Context, input: Input<E>) => Promise<Output<E>>,
  direct?: Direct,
): Handler {
  const handler = async (request: Request, route: RouteContext) => {
    const requestId = requestIdOf(request)
    const headers: Record<string, string> = {}
    let response: Response
    try {
      const params = stringsOf(await route.params)
      const caller = { requestId, clientAddress: clientAddressOf(request), signal: route.signal }
      response = await answer(endpoint, handle as never, request, params, caller, headers)
    } catch (error) {
      return failureOf(endpoint, error, request, requestId, headers)
    }
    return withHeaders(response, { ...headers, 'request-id': requestId, ...(isPublic(endpoint) && CORS) })
  }
  return Object.assign(handler, { endpoint, direct })
}

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
  return withHeaders(problem(failure, requestId), {
    ...headers,
    ...own,
    'request-id': requestId,
    ...(isPublic(endpoint) && CORS),
  })
}

async function answer(
  endpoint: Endpoint,
  handle: (ctx: Context, input: unknown) => Promise<unknown>,
  request: Request,
  params: Record<string, string>,
  caller: Caller,
  headers: Record<string, string>,
): Promise<Response> {
  if (isPublic(endpoint))
    Object.assign(
      headers,
      await countRequest(endpoint.method === 'GET' ? 'public-reads' : 'public-writes', caller.clientAddress),
    )
  const ctx = await authenticate(endpoint.auth, request, params, caller).catch(async (error: unknown) => {
    const failed = !isPublic(endpoint) && error instanceof AppError && error.code === 'unauthenticated'
    if (failed) await countRequest('admin-failures', caller.clientAddress)
    throw error
  })
  if (!isPublic(endpoint))
    Object.assign(headers, await countRequest('admin', 'id' in ctx.actor ? ctx.actor.id : caller.clientAddress))
  if (endpoint.permission) assertPermission(ctx, endpoint.permission)

  const url = new URL(request.url)
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
    const encoded = encode(endpoint, await handle(withIdempotency(ctx, { storingResult, requestKey }), input))
    if (stored === undefined) await idempotency.store({ status, text: encoded })
    return writeResponse(endpoint, stored ?? encoded)
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
  const { text, etag } = contentOf(endpoint, value)
  const headers = { etag, 'cache-control': isPublic(endpoint) ? 'no-cache' : 'private, no-cache' }
  const known = request.headers
    .get('if-none-match')
    ?.split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
  if (known?.includes(etag) || known?.includes('*')) return new Response(null, { status: 304, headers })
  return new Response(text, {
    status: endpoint.status ?? 200,
    headers: { ...headers, 'content-type': contentTypeOf(endpoint) },
  })
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
    'content-disposition': `attachment; filename="${endpoint.path.split('/').at(-1)}"`,
    'cache-control': 'private, no-store',
  }
  return new Response(body, { status: endpoint.status ?? 200, headers })
}

export const contentTypeOf = ({ contentType = 'application/json' }: Endpoint): string =>
  contentType.startsWith('text/') ? `${contentType}; charset=utf-8` : contentType

/** A parsed body, and a fingerprint that is equal for a repetition of the same request. */
type Sent = { value: unknown; fingerprint: string }
const NO_BODY: Sent = { value: {}, fingerprint: '' }

async function readBody(endpoint: Endpoint, request: Request): Promise<Sent> {
  const type = request.headers.get('content-type') ?? ''
  const bytes = await readBodyBytes(request, endpoint.upload ? MAX_UPLOAD_BYTES : MAX_BODY_BYTES)
  if (endpoint.upload && /^multipart\/form-data\s*;/i.test(type)) return readForm(type, bytes)
  if (bytes.length > 0 && !/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type))
    throw new AppError(
      'unsupported_media_type',
      `Send the body as application/json${endpoint.upload ? ' or multipart/form-data' : ''}.`,
    )
  const text = bytes.toString('utf8')
  return { value: readJson(text), fingerprint: text }
}

/** A multipart form as a body. The fingerprint covers names and contents, since clients choose a new boundary each time. */
async function readForm(type: string, bytes: Buffer): Promise<Sent> {
  const form = await formOf(type, bytes)
  const value: Record<string, unknown> = {}
  const print: unknown[] = []
  for (const [name, entry] of form) {
    const content = typeof entry === 'string' ? entry : new Uint8Array(await entry.arrayBuffer())
    if (typeof content !== 'string' && content.length > MAX_FILE_BYTES)
      throw new AppError('body_too_large', `The file is larger than ${sizeText(MAX_FILE_BYTES)}.`)
    if (content !== '') value[name] = typeof entry === 'string' ? entry : { name: entry.name, bytes: content }
    print.push([
      name,
      typeof entry === 'string' ? entry : entry.name,
      createHash('sha256').update(content).digest('base64url'),
    ])
  }
  return { value, fingerprint: JSON.stringify(print) }
}

function readJson(text: string): unknown {
  if (text.trim() === '') return {}
  try {
    return JSON.parse(text)
  } catch {
    throw new AppError('invalid_request', 'The body is not valid JSON.')
  }
}

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
export const clientAddressOf = (request: Request): string => request.headers.get('x-client-address') ?? '127.0.0.1'

export const requestIdOf = ({ headers }: Request): string =>
  requestIdFrom(headers.get('request-id') ?? headers.get('x-request-id'))

/** The id that the client gave its request, or a new one. */
export const requestIdFrom = (given: string | null | undefined): string =>
  given && /^[\w.:-]{1,100}$/.test(given) ? given : randomUUID()

export function withHeaders(response: Response, headers: Record<string, string>): Response {
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value)
  return response
}
