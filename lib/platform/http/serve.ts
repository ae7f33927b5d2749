import { hash } from 'node:crypto'
import type { Auth, Endpoint, Input, Output, SentFile } from '../api/endpoint.ts'
import { authenticate, type Caller, purchaseHolderContext } from '../auth/authenticate.ts'
import { type Context, assertPermission, withIdempotency } from '../auth/context.ts'
import { assertModeCovers } from '../auth/modes.ts'
import { crashPoint } from '../../core/crash.ts'
import { AppError } from '../../core/errors.ts'
import { answerText } from './answer-writer.ts'
import { CORS } from './cors.ts'
import { type EarlyRefusal, refuserOf } from './early-refusal.ts'
import type { Direct, DirectAnswer } from './hot/direct.ts'
import { beginIdempotent, readIdempotencyKey } from './idempotency.ts'
import { ifMatchOf, writeIfMatch } from './if-match.ts'
import { pathAndQueryOf } from './parse-input.ts'
import { asAppError, logFailure, problemAnswer } from './problem.ts'
import { countRequest } from './rate-limit.ts'
import { readBodyBytes } from './request-body.ts'
import type { RequestHead, SentRequest } from './request-head.ts'
import { REQUEST_ID_HEADER, requestIdFrom } from './request-id.ts'
import { bodyOf } from './sent-body.ts'

export type RouteContext = {
  params: Promise<Record<string, string | string[] | undefined>>
  /** Aborted when the answer is no longer awaited. Next gives none. */
  signal?: AbortSignal
  /** Gives the request's turn to another one. */
  endTurn?: () => void
}
export type StreamAnswer = Omit<DirectAnswer, 'body'> & { body: ReadableStream<Uint8Array> }
export type Answer = DirectAnswer | StreamAnswer
export type Handler<E extends Endpoint = Endpoint> = ((request: Request, route: RouteContext) => Promise<Response>) & {
  endpoint: E
  /** Makes the answer with less work, for the front door (lib/platform/http/hot). */
  direct?: Direct | undefined
  /** Makes the answer without a Request and a Response. */
  answer: (request: SentRequest, route: RouteContext) => Promise<Answer>
}
/** An endpoint with the verb that serves it; forms of the dashboard call both without a request (action.ts). */
export type Served<E extends Endpoint, Result> = {
  endpoint: E
  verb: (ctx: Context, input: Input<E>) => Promise<Result>
}

export const isPublic = (endpoint: Endpoint) => endpoint.auth !== 'api_key'

/**
 * Ways to answer some requests with less work: a GET directly, or a write that is refused before its Idempotency-Key is
 * taken. `auth`: `anonymous` where the verb asks for the caller's proof together with what it reads. `cookie`: the
 * Set-Cookie of an answer that proves something to this browser alone.
 */
type Options<E extends Endpoint, Row extends object, Found, Result> = {
  direct?: Direct
  refusal?: EarlyRefusal<Input<E>, Row, Found>
  auth?: Auth
  cookie?: (input: Input<E>, result: Result) => string
}
/** A handler, and what refuses its requests early, of an endpoint that only its value describes. */
type Verb = {
  handle: (ctx: Context, input: unknown, found: unknown) => Promise<unknown>
  refuse: ReturnType<typeof refuserOf<unknown, object, unknown>> | undefined
  cookie: ((input: unknown, result: unknown) => string) | undefined
}

/** The GET of each path, with which writes with If-Match compare. An area's file serves all methods of its paths. */
const reads = new Map<string, { endpoint: Endpoint; verb: Verb }>()

/**
 * Turns an endpoint and a verb into a plain `(Request) => Response`. Does once for all endpoints: authentication, rate
 * limits, validation, idempotency, encoding (which drops fields that the response schema doesn't name), errors (RFC
 * 9457), ETags and CORS.
 */
export function serve<const E extends Endpoint, Row extends object, Found, Result extends Output<E>>(
  endpoint: E,
  handle: (ctx: Context, input: Input<E>, found?: Found) => Promise<Result>,
  { direct, refusal, auth = endpoint.auth, cookie }: Options<E, Row, Found, Result> = {},
): Handler<E> & Served<E, Result> {
  const verb = { handle, refuse: refusal && refuserOf(refusal), cookie } as Verb
  if (endpoint.method === 'GET') reads.set(endpoint.path, { endpoint, verb })
  const answer = async (request: SentRequest, route: RouteContext): Promise<Answer> => {
    const requestId = requestIdOf(request)
    const headers: Record<string, string> = {}
    try {
      const begun = await begin(endpoint, auth, request, route, requestId, headers)
      const answered = await answerOf(endpoint, verb, request, begun)
      return { ...answered, headers: { ...answered.headers, ...headers, ...headersOf(endpoint, requestId) } }
    } catch (error) {
      return failureOf(endpoint, error, request, requestId, headers)
    }
  }
  const handler = async (request: Request, route: RouteContext) => responseOf(await answer(sentOf(request), route))
  return Object.assign(handler, { endpoint, verb: handle, direct, answer })
}

const sentOf = (request: Request): SentRequest => ({
  method: request.method,
  url: request.url,
  headers: request.headers,
  bytes: (maxBytes) => readBodyBytes(request, maxBytes),
})

const responseOf = ({ status, headers, body }: Answer) =>
  new Response(body as Exclude<typeof body, Buffer> | Buffer<ArrayBuffer>, { status, headers })

const headersOf = (endpoint: Endpoint, requestId: string) => ({
  'request-id': requestId,
  ...(isPublic(endpoint) && CORS),
})

/** The answer to a request that failed. */
export function failureOf(
  endpoint: Endpoint,
  error: unknown,
  request: { method: string; url: string },
  requestId: string,
  headers: Record<string, string> = {},
): DirectAnswer {
  const failure = asAppError(error)
  logFailure(failure, request, requestId)
  const own = (error as { headers?: Record<string, string> } | null)?.headers
  const answer = problemAnswer(failure, requestId)
  return { ...answer, headers: { ...answer.headers, ...headers, ...own, ...headersOf(endpoint, requestId) } }
}

type Begun = { ctx: Context; url: URL; params: Record<string, string>; asked: ReturnType<typeof pathAndQueryOf> }

/** Counts and authenticates a request and reads its URL. `headers` gets those of the limits, also where it throws. */
async function begin(
  endpoint: Endpoint,
  auth: Auth,
  request: RequestHead,
  route: RouteContext,
  requestId: string,
  headers: Record<string, string>,
): Promise<Begun> {
  const params = stringsOf(await route.params)
  const caller: Caller = {
    requestId,
    clientAddress: clientAddressOf(request),
    signal: route.signal,
    endTurn: route.endTurn,
  }
  if (isPublic(endpoint))
    Object.assign(
      headers,
      await countRequest(endpoint.method === 'GET' ? 'public-reads' : 'public-writes', caller.clientAddress),
    )
  const url = new URL(request.url)
  const readAsked = () => pathAndQueryOf(endpoint, params, url.searchParams)
  const early = auth === 'purchase_secret' ? readAsked() : null
  const { secret } = (early?.query ?? {}) as { secret?: string | null }
  const ctx = await authenticate(auth, request, secret ? { ...params, secret } : params, caller).catch(
    async (error: unknown) => {
      const failed = !isPublic(endpoint) && error instanceof AppError && error.code === 'unauthenticated'
      if (failed) await countRequest('admin-failures', caller.clientAddress)
      throw error
    },
  )
  if (!isPublic(endpoint))
    Object.assign(headers, await countRequest('admin', 'id' in ctx.actor ? ctx.actor.id : caller.clientAddress))
  if (endpoint.permission) assertPermission(ctx, endpoint.permission)

  return { ctx, url, params, asked: early ?? readAsked() }
}

async function answerOf(
  endpoint: Endpoint,
  { handle, refuse, cookie }: Verb,
  request: SentRequest,
  { ctx, url, params, asked }: Begun,
): Promise<Answer> {
  const { body, fingerprint } = await bodyOf(endpoint, request, ctx.signal)
  const input = { ...asked, body }
  await assertModeCovers(ctx, endpoint, input.params)
  const handled = (own = ctx, found?: unknown) => handle(own, input, found)
  if (endpoint.stream === 'file') {
    const { name, pieces } = (await handled()) as SentFile
    return streamAnswer(endpoint, pieces, attachmentOf(name))
  }
  if (endpoint.stream) return streamAnswer(endpoint, (await handled()) as AsyncIterable<string>)
  if (endpoint.method === 'GET') return readAnswer(endpoint, request, await handled())

  const key = endpoint.method === 'POST' ? readIdempotencyKey(request, isPublic(endpoint)) : null
  const writing = (result: unknown, text = encode(endpoint, result)) =>
    writeAnswer(endpoint, text, cookie && { 'set-cookie': cookie(input, result) })
  const ifMatch = ifMatchOf(endpoint, request)
  if (ifMatch !== null) {
    const read = reads.get(endpoint.path)
    const readEtag = read && (() => etagFor(ctx, read, { url, params }))
    return writing(await writeIfMatch(ctx, endpoint, { ifMatch, params, readEtag }, handled))
  }
  if (key === null) return writing(await handled())

  const scope = `${'permissions' in ctx.actor ? ctx.actor.id : 'keyless'} ${endpoint.method} ${endpoint.path}`
  const requestKey = hash('sha256', `${scope}\n${key}\n${fingerprint}`, 'base64url')
  const found = await refuse?.({ scope, key, requestKey }, input, ctx)
  const idempotency = await beginIdempotent(scope, key, `${url.pathname}${url.search}\n${fingerprint}`)
  if (idempotency.replay) return writeAnswer(endpoint, idempotency.replay.text, { 'idempotent-replayed': 'true' })
  crashPoint('request_taken')
  const status = endpoint.status ?? 200
  let stored: string | undefined
  const storingResult: Context['storingResult'] = (result) => {
    stored = encode(endpoint, result)
    crashPoint('storing_answer')
    return idempotency.storing({ status, text: stored })
  }
  try {
    const result = await handled(withIdempotency(ctx, { storingResult, requestKey }), found)
    crashPoint('answer_ready')
    if (stored !== undefined) return writing(result, stored)
    const encoded = encode(endpoint, result)
    await idempotency.store({ status, text: encoded })
    return writing(result, encoded)
  } catch (error) {
    await idempotency.release()
    throw error
  }
}

/** The ETag that reading the path of a write would give its caller now. */
async function etagFor(
  ctx: Context,
  { endpoint, verb }: { endpoint: Endpoint; verb: Verb },
  { url, params }: Pick<Begun, 'url' | 'params'>,
): Promise<string> {
  const secret = url.searchParams.get('secret') ?? ''
  const isSecret = endpoint.auth === 'purchase_secret'
  const reader = isSecret ? await purchaseHolderContext(ctx, params.purchase_intent_id ?? '', secret) : ctx
  if (endpoint.permission) assertPermission(reader, endpoint.permission)
  // A write may take parameters that its read doesn't know.
  const shared = [...url.searchParams].filter(([name]) => Object.hasOwn(endpoint.query?.shape ?? {}, name))
  const input = { ...pathAndQueryOf(endpoint, params, new URLSearchParams(shared)), body: undefined }
  return contentOf(endpoint, await verb.handle(reader, input, undefined)).etag
}

type AnswerShape = Pick<Endpoint, 'response' | 'status' | 'contentType'>

const encode = (endpoint: AnswerShape, value: unknown): string =>
  endpoint.status === 204 ? '' : answerText(endpoint.response, value)

/** The body of an answer to a GET, and its ETag. */
export function contentOf(endpoint: AnswerShape, value: unknown): { text: string; etag: string } {
  const text = endpoint.contentType?.startsWith('text/') ? String(value) : encode(endpoint, value)
  return { text, etag: `"${hash('sha256', text, 'base64url').slice(0, 27)}"` }
}

function writeAnswer(endpoint: Endpoint, text: string, more: Record<string, string> = {}): DirectAnswer {
  const status = endpoint.status ?? 200
  const type = status !== 204 && { 'content-type': 'application/json' }
  return {
    status,
    headers: { 'cache-control': 'no-store', ...type, ...more },
    body: status === 204 ? null : Buffer.from(text),
  }
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

/** Awaits the first piece: a failure until then becomes an error response, a later one ends the stream. */
async function streamAnswer(
  endpoint: Endpoint,
  pieces: AsyncIterable<string | Uint8Array>,
  disposition = endpoint.stream === 'unnamed' ? null : attachmentOf(endpoint.path.split('/').at(-1)!),
): Promise<StreamAnswer> {
  const iterator = pieces[Symbol.asyncIterator]()
  const text = new TextEncoder()
  let piece = await iterator.next()
  const body = new ReadableStream<Uint8Array>({
    async pull(stream) {
      if (piece.done) return stream.close()
      stream.enqueue(typeof piece.value === 'string' ? text.encode(piece.value) : piece.value)
      piece = await iterator.next()
    },
    cancel: async () => void (await iterator.return?.()),
  })
  const headers = {
    'content-type': contentTypeOf(endpoint),
    ...(disposition && { 'content-disposition': disposition }),
    'cache-control': 'private, no-store',
  }
  return { status: endpoint.status ?? 200, headers, body }
}

/** Names with other letters than those of English are given twice (RFC 6266): older clients read the first one. */
function attachmentOf(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16)}`,
  )
  return `attachment; filename="${plain}"${plain === name ? '' : `; filename*=UTF-8''${encoded}`}`
}

export const contentTypeOf = ({ contentType = 'application/json' }: Endpoint): string =>
  contentType.startsWith('text/') ? `${contentType}; charset=utf-8` : contentType

const stringsOf = (params: Record<string, string | string[] | undefined> | undefined): Record<string, string> =>
  Object.fromEntries(Object.entries(params ?? {}).map(([name, value]) => [name, [value ?? ''].flat().join('/')]))

/** The client's address as our HTTP server determined it (TRUSTED_PROXIES); a client can't set this header itself. */
export const clientAddressOf = (request: RequestHead): string => request.headers.get('x-client-address') ?? '127.0.0.1'

export const requestIdOf = ({ headers }: RequestHead): string => requestIdFrom(headers.get(REQUEST_ID_HEADER))

export function withHeaders(response: Response, headers: Record<string, string>): Response {
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value)
  return response
}
