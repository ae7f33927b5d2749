import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Endpoint } from '../api/endpoint.ts'
import { AppError } from '../../core/errors.ts'
import { log } from '../../core/log.ts'
import {
  acceptedEncodings,
  encodeBody,
  type Encoding,
  etagOf,
  knownEtag,
  MIN_ENCODED_BYTES,
  plainTags,
} from './encoding.ts'
import { type FoundRoute, routeFinder } from './find-route.ts'
import { type Application, withHead } from './http-server.ts'
import type { DirectAnswer } from './hot/direct.ts'
import { requestOf, sentRequestOf, writePieces, writeWhole } from './node-http.ts'
import { REQUEST_ID_HEADER, requestIdFrom } from './request-id.ts'
import type { Route } from './route.ts'
import { type Answer, failureOf, type Handler, type StreamAnswer } from './serve.ts'

/** `seconds`: how long a request may take until its answer begins; 0: as long as it takes. */
export type EndpointSettings = { origin: string; seconds: number }

/** The headers that next.config.mjs gives every answer. */
export const HEADERS_OF_ALL = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
}

/**
 * Answers the endpoints of a table, as the route files would by way of Next, and leaves every other request to the
 * application. A GET is answered directly where its handler can (lib/platform/http/hot).
 */
export function answerEndpoints(
  handlers: readonly Handler[],
  settings: EndpointSettings,
  application: Application,
): Application {
  const find = routeFinder(handlers)
  const others = withHead(application)
  return async (request, response, turn, head) => {
    const [path = ''] = (request.url ?? '/').split('?', 1)
    const found = find(path)
    if (!found) return others(request, response, turn, head)

    const method = (request.method === 'HEAD' ? 'GET' : request.method) as keyof Route
    const handler = found.handlers.find(({ endpoint }) => endpoint.method === method)
    const write = writerOf(response, { ...head, ...HEADERS_OF_ALL })
    if (handler?.direct && (await answerDirectly(handler, handler.direct, found, request, write))) return
    const seconds = handler && isBounded(handler.endpoint) ? settings.seconds : 0
    const ending = endingOf(request, response, { seconds, atClose: method === 'GET' })
    const encoded =
      handler && mayEncode(handler.endpoint) ? acceptedEncodings(headerOf(request, 'accept-encoding')) : []
    const ifNoneMatch = headerOf(request, 'if-none-match')
    if (ifNoneMatch !== undefined && encoded.length > 0)
      request.headers['if-none-match'] = plainTags(ifNoneMatch, encoded)

    const route = { params: Promise.resolve(found.params), signal: ending.signal, endTurn: () => turn.end() }
    const work = handler
      ? handler.answer(sentRequestOf(request, settings.origin), route)
      : found.route[method](requestOf(request, settings.origin), route).then(plainOf)
    const answer = handler
      ? await Promise.race([work, ending.reached]).catch((error: unknown) =>
          failureOf(handler.endpoint, error, shownOf(request), requestIdOf(request)),
        )
      : await work
    ending.clear()
    if (isStream(answer)) {
      turn.end() // from here on the client's own pace counts
      return stream(answer, encoded, write)
    }
    await send(answer, encoded, ifNoneMatch, write)
    const late = await work
    if (late !== answer && isStream(late)) await late.body.cancel()
  }
}

/** Writes an answer with the headers of all. */
type Writer = {
  response: ServerResponse
  whole: (status: number, headers: Record<string, string>, body: Buffer | null) => void
  pieces: (answer: StreamAnswer, headers: Record<string, string>, encoding: Encoding) => Promise<void>
}

const writerOf = (response: ServerResponse, head: Record<string, string>): Writer => ({
  response,
  whole: (status, headers, body) => writeWhole(response, status, { ...head, ...headers }, body),
  pieces: ({ status, body }, headers, encoding) =>
    writePieces(response, status, { ...head, ...headers }, body, encoding),
})

const isStream = (answer: Answer): answer is StreamAnswer => answer.body instanceof ReadableStream

/** The answer of a path's other methods. */
const plainOf = async (response: Response): Promise<DirectAnswer> => ({
  status: response.status,
  headers: Object.fromEntries(response.headers),
  body: Buffer.from(await response.arrayBuffer()),
})

/**
 * An answer in pieces begins when its first one is there, an upload takes as long as its client sends, and what waits
 * has a bound of its own.
 */
const isBounded = ({ stream, upload, waits }: Endpoint): boolean => !stream && !upload && !waits

/**
 * Answers to whoever proves a secret, and answers of writes, which may show a new one, are sent as they are: their
 * length in another encoding would tell of a secret beside text that somebody else chose (BREACH). The other ones are
 * open to nobody by cookie from another site.
 */
const mayEncode = ({ method, auth }: Endpoint): boolean =>
  method === 'GET' && auth !== 'claim_token' && auth !== 'purchase_secret'

/**
 * When the work of an answer ends early: after so many seconds, or when its client has gone. The connection ends with a
 * body that didn't come.
 */
function endingOf(
  request: IncomingMessage,
  response: ServerResponse,
  { seconds, atClose }: { seconds: number; atClose: boolean },
) {
  const controller = new AbortController()
  const { signal } = controller
  const end = () => {
    if (request.complete) return controller.abort(tookTooLong(seconds))
    if (!response.headersSent) response.setHeader('connection', 'close')
    controller.abort(new AppError('request_timeout', 'The request did not arrive in time.'))
  }
  const timer = seconds > 0 ? setTimeout(end, seconds * 1000) : undefined
  if (atClose)
    response.once('close', () => {
      if (!response.writableFinished) controller.abort(new AppError('request_timeout', 'The client broke off.'))
    })
  const reached = new Promise<never>((_, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason as Error)),
  )
  reached.catch(() => undefined) // after the answer nobody waits for it
  return { signal, reached, clear: () => clearTimeout(timer) }
}

const tookTooLong = (seconds: number) =>
  new AppError(
    'unavailable',
    `The request took longer than ${seconds} s. What it asked for may still be done: ` +
      'repeat it with the same Idempotency-Key.',
    { retryAfterSeconds: 5 },
  )

/** Whether the handler could answer without a Request. */
async function answerDirectly(
  { endpoint }: Handler,
  direct: NonNullable<Handler['direct']>,
  { params }: FoundRoute,
  request: IncomingMessage,
  write: Writer,
): Promise<boolean> {
  const requestId = requestIdOf(request)
  const { url = '/', headers } = request
  const at = url.indexOf('?')
  const clientAddress = headerOf(request, 'x-client-address') ?? '127.0.0.1'
  try {
    const search = at < 0 ? '' : url.slice(at)
    const answer = await direct({ params, search, headers, clientAddress, requestId })
    if (!answer) return false
    write.whole(answer.status, answer.headers, answer.body)
  } catch (error) {
    await send(failureOf(endpoint, error, shownOf(request), requestId), [], undefined, write)
  }
  return true
}

/** @param encodings what the client takes, of an answer that may be encoded. */
async function send(
  answer: DirectAnswer,
  encodings: readonly Encoding[],
  ifNoneMatch: string | undefined,
  write: Writer,
): Promise<void> {
  const { status, headers, body } = answer
  const [encoding = 'identity'] = encodings
  if (encodings.length === 0 || !((status >= 200 && status < 300) || status === 304))
    return write.whole(status, headers, body)
  headers.vary = 'Accept-Encoding'
  const etag = headers.etag ?? ''
  if (status === 304) headers.etag = knownEtag(ifNoneMatch, etag, encodings) ?? etag
  if (encoding === 'identity' || body === null || body.length < MIN_ENCODED_BYTES)
    return write.whole(status, headers, body)
  headers['content-encoding'] = encoding
  headers.etag = etagOf(etag, encoding)
  write.whole(status, headers, await encodeBody(body, encoding))
}

async function stream(answer: StreamAnswer, [encoding = 'identity']: Encoding[], write: Writer): Promise<void> {
  const headers = { ...answer.headers, vary: 'Accept-Encoding' }
  const encoded = encoding === 'identity' ? headers : { ...headers, 'content-encoding': encoding }
  await write.pieces(answer, encoded, encoding).catch((error: unknown) => {
    const hasGone = (error as { code?: string } | null)?.code === 'ERR_STREAM_PREMATURE_CLOSE'
    const { req } = write.response
    if (!hasGone) log.error({ requestId: requestIdOf(req), cause: error, url: req.url }, 'A streamed answer broke off.')
  })
}

const headerOf = ({ headers }: IncomingMessage, name: string): string | undefined => {
  const value = headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}
const requestIdOf = (request: IncomingMessage): string => requestIdFrom(headerOf(request, REQUEST_ID_HEADER))
/** The parts of a request that are logged when it fails. */
const shownOf = ({ method = 'GET', url = '/' }: IncomingMessage) => ({ method, url })
