import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { AppError } from '../../core/errors.ts'
import { log } from '../../core/log.ts'
import { logFailing } from '../../db/log-failing.ts'
import { maxBodyBytesOf, sizeText } from './body-limits.ts'
import { CORS } from './cors.ts'
import { noteFront } from './front-of-next.ts'
import { admit, type FrontServerSettings, isPageUrl, STRIPPED_REQUEST_HEADERS } from './front-server.ts'
import { asAppError, problemBody, refusal } from './problem.ts'
import { bodyTooLarge, hasBody } from './request-body.ts'
import { assignRequestId, REQUEST_ID_HEADER } from './request-id.ts'
import { FREE, type Turn } from './turns.ts'

/**
 * The application behind the server: the endpoints and Next in the web process. It may read a request's body without
 * any limit of its own. A request is in work until the application's promise is fulfilled, or until it ends the turn
 * itself. `head` are headers of every answer, which the application writes with its own.
 */
export type Application = (
  request: IncomingMessage,
  response: ServerResponse,
  turn: Turn,
  head: Record<string, string>,
) => Promise<void>

/**
 * An application that writes its own headers only, as Next does. Setting each of the others costs more than writing all
 * at once.
 */
export const withHead =
  (application: Application): Application =>
  (request, response, turn, head) => {
    for (const [name, value] of Object.entries(head)) response.setHeader(name, value)
    return application(request, response, turn, head)
  }

const MAX_URL_BYTES = 8 * 1024
const MAX_HEADER_BYTES = 16 * 1024
/** A refused client that is still sending gets this long to read the answer. */
const CLOSE_AFTER_MS = 5_000
/** A request whose body is still to come keeps its turn for this long. */
const SLOW_BODY_MS = 1_000
/** A client that takes nothing of an answer for this long is cut off, so that it doesn't keep the answer in memory. */
const UNTAKEN_MS = 30_000
/**
 * So many requests of a connection wait for the answers before theirs. Each takes memory, and costs its client a few
 * bytes.
 */
const MOST_IN_LINE = 100

/**
 * The HTTP server in front of the application. It passes on what `admit` admits, and no body is read beyond its path's
 * limit: one that declares more is refused unread, one sent in chunks as soon as it exceeds the limit.
 * @param frameOriginsOf the origins that may show the page of a URL in a frame.
 * @param maintenance why nothing can be written now, or null. Actions of pages are passed on all the same: they say so
 * in their form.
 * @param nextTurn waits until a request may be worked on; throws when too many are waiting.
 */
export function httpServer(
  settings: FrontServerSettings,
  frameOriginsOf: (url: string) => Promise<readonly string[]>,
  application: Application,
  maintenance: () => Promise<AppError | null> = async () => null,
  nextTurn: () => Promise<Turn> = async () => FREE,
): Server {
  noteFront()
  async function receive(
    request: IncomingMessage,
    response: ServerResponse,
    asksFirst: boolean,
    turn: Turn,
  ): Promise<void> {
    const incoming = {
      method: request.method ?? 'GET',
      url: request.url ?? '/',
      headers: request.headers,
      socketAddress: request.socket.remoteAddress,
    }
    if (incoming.url.length > MAX_URL_BYTES) return refuseUnread(request, response, urlTooLong())
    const admission = admit(settings, incoming, await frameOriginsOf(incoming.url))
    const maxBytes = maxBodyBytesOf(admission.kind === 'pass' ? admission.url : incoming.url)
    if (Number(request.headers['content-length'] ?? 0) > maxBytes)
      return refuseUnread(request, response, bodyTooLarge(maxBytes))
    if (request.headers['transfer-encoding'] !== undefined) boundChunks(request, response, maxBytes)
    if (admission.kind === 'answer') return send(admission.response, response)
    const closed = isWrite(request, admission.url) ? await maintenance().catch(unreadable) : null
    if (closed) return send(refusal(closed, idOf(request), admission.responseHeaders), response)

    for (const name of STRIPPED_REQUEST_HEADERS) delete request.headers[name]
    Object.assign(request.headers, admission.headers)
    request.url = admission.url
    if (asksFirst) response.writeContinue()
    await application(request, response, turn, admission.responseHeaders)
  }

  const inLine = new WeakMap<Duplex, number>()
  /**
   * Of requests that a client sends without waiting, each is begun when the answer before it was taken. False: too many
   * wait already.
   */
  async function waitInLine({ socket }: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const before = inLine.get(socket) ?? 0
    if (before >= MOST_IN_LINE) return false
    inLine.set(socket, before + 1)
    await new Promise((resolve) => response.once('socket', resolve))
    inLine.set(socket, inLine.get(socket)! - 1)
    return true
  }

  /** `asksFirst`: the client sends the body only once it is told to (Expect: 100-continue). */
  const answer = (request: IncomingMessage, response: ServerResponse, asksFirst: boolean) => {
    assignRequestId(request)
    cutOffUntaken(response)
    takeTurn(request, response, asksFirst).catch((error: unknown) => {
      log.error({ requestId: idOf(request), cause: error }, 'A request failed outside its handler.')
      if (!response.headersSent) response.writeHead(500)
      response.end()
    })
  }
  const takeTurn = async (request: IncomingMessage, response: ServerResponse, asksFirst: boolean) => {
    let turn = FREE
    if (!response.socket && !(await waitInLine(request, response))) return refuseInLine(request, response)
    try {
      if (!isHealth(request.url)) turn = await nextTurn()
      if (response.destroyed) return turn.end() // its client has gone meanwhile
    } catch (error) {
      return refuseTurn(request, response, asAppError(error))
    }
    const watch = endOfSlowBody(request, turn)
    await receive(request, response, asksFirst, turn).finally(() => {
      clearInterval(watch)
      turn.end()
    })
  }
  const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES })
  server.on('request', (request, response) => answer(request, response, false))
  // Without this listener Node would ask for the body before its size is checked.
  server.on('checkContinue', (request, response) => answer(request, response, true))
  server.on('clientError', (error: ClientError, socket) => refuse(socket, failureOf(error), randomUUID()))
  server.keepAliveTimeout = 65_000 // longer than load balancers keep idle connections, so that they close first
  return server
}

/**
 * While the application works, nothing is there to take. Between two requests, the time limit of idle connections
 * holds.
 */
function cutOffUntaken(response: ServerResponse): void {
  response.setTimeout(UNTAKEN_MS, () => {
    if (response.socket && response.socket.writableLength > 0) response.socket.destroy()
  })
}

/**
 * Counts a body of undeclared length as it arrives. The connection ends when it exceeds the limit, or is answered
 * before it is whole. What was read together with the excess is dropped, so that nothing cuts off the answer.
 */
function boundChunks(request: IncomingMessage, response: ServerResponse, maxBytes: number): void {
  const push = request.push.bind(request)
  let bytes = request.readableLength
  let isOver = false
  request.push = (chunk: Uint8Array | null, encoding?: BufferEncoding) => {
    if (isOver) return false
    bytes += chunk?.length ?? 0
    if (bytes <= maxBytes) return push(chunk, encoding)
    isOver = true
    if (!response.headersSent) refuseUnread(request, response, bodyTooLarge(maxBytes))
    return false
  }
  response.once('finish', () => {
    if (!request.complete) close(request.socket)
  })
}

async function send(from: Response, to: ServerResponse): Promise<void> {
  to.writeHead(from.status, Object.fromEntries(from.headers))
  to.end(Buffer.from(await from.arrayBuffer()))
}

/**
 * Ends the turn of a request that waits for its client to send more: a few clients that send nothing would else take
 * all turns.
 */
function endOfSlowBody(request: IncomingMessage, turn: Turn): NodeJS.Timeout | undefined {
  if (request.complete || !hasBody(request)) return undefined
  return setInterval(() => {
    if (!request.complete && request.readableLength === 0) turn.end()
  }, SLOW_BODY_MS)
}

/** Whether this process lives must be told however busy it is. */
const isHealth = (url = '/'): boolean => /^\/health\/\w+(\?|$)/.test(url)

/** A body that is still to come isn't read. */
function refuseTurn(request: IncomingMessage, response: ServerResponse, failure: AppError): void | Promise<void> {
  return hasBody(request) ? refuseUnread(request, response, failure) : send(refusal(failure, idOf(request)), response)
}

/**
 * The answer waits for those before it, and the connection ends with it. Node reads no more of a connection while many
 * answers wait.
 */
function refuseInLine(request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.setHeader('connection', 'close')
  const failure = new AppError(
    'overloaded',
    `More than ${MOST_IN_LINE} requests of this connection wait for their answers. Nothing was changed by this one.`,
    { retryAfterSeconds: 1 },
  )
  return send(refusal(failure, idOf(request)), response)
}

const idOf = ({ headers }: IncomingMessage): string => String(headers[REQUEST_ID_HEADER])

/**
 * Whether a request may change something. Actions of pages tell it themselves; what isn't a page ignores that header.
 */
const isWrite = ({ method = 'GET', headers }: IncomingMessage, url: string): boolean =>
  !['GET', 'HEAD', 'OPTIONS'].includes(method) && (headers['next-action'] === undefined || !isPageUrl(url))

/** A write that might come in maintenance isn't passed on. */
function unreadable(error: unknown): AppError {
  logFailing('maintenance', error, 'Whether there is maintenance can’t be read.')
  return asAppError(error)
}

/** Refuses a request whose body isn't read. */
function refuseUnread(request: IncomingMessage, response: ServerResponse, failure: AppError): void {
  response.statusCode = failure.status // as the access line says it
  refuse(request.socket, failure, idOf(request))
}

/** Answers on the connection itself, since the request is not read to its end, and closes it. */
function refuse(socket: Duplex, failure: AppError, requestId: string): void {
  if (!socket.writable) return void socket.destroy()
  log.debug({ requestId, code: failure.code }, 'A request was refused unread.')
  const body = JSON.stringify(problemBody(failure, requestId))
  const head = [
    `HTTP/1.1 ${failure.status} ${STATUS_CODES[failure.status]}`,
    'content-type: application/problem+json',
    `content-length: ${Buffer.byteLength(body)}`,
    `request-id: ${requestId}`,
    ...Object.entries(CORS).map((header) => header.join(': ')),
    ...(failure.retryAfterSeconds === undefined ? [] : [`retry-after: ${failure.retryAfterSeconds}`]),
    'connection: close',
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  close(socket)
}

/**
 * Closes a connection in a way that lets a client that is still sending read the answer. Nothing more is read from it.
 */
function close(socket: Duplex): void {
  socket.end()
  setImmediate(() => socket.pause()) // once Node has resumed the connection to discard what is left of the request
  setTimeout(() => socket.destroy(), CLOSE_AFTER_MS).unref()
}

/** Node's error for a request that it couldn't parse. `rawPacket` is the part of the request that arrived last. */
type ClientError = Error & { code?: string; rawPacket?: Buffer }

function failureOf({ code = '', rawPacket }: ClientError): AppError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return rawPacket && !rawPacket.includes('\n') ? urlTooLong() : headersTooLarge()
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new AppError('body_too_large', 'The body’s chunk extensions are too large.')
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new AppError('request_timeout', 'The request did not arrive in time.')
    default:
      return new AppError('invalid_request', 'This is not a valid HTTP request.')
  }
}

const urlTooLong = () => new AppError('url_too_long', `The URL is longer than ${sizeText(MAX_URL_BYTES)}.`)
const headersTooLarge = () =>
  new AppError('headers_too_large', `The request’s URL and headers are larger than ${sizeText(MAX_HEADER_BYTES)}.`)
