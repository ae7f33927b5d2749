import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Encoding, encodingStream } from './encoding.ts'
import { hasBody, readIncomingBytes } from './request-body.ts'
import type { SentRequest } from './request-head.ts'

/** A request of Node's server as handlers take it. Its body is read only once somebody reads it. */
export function requestOf(incoming: IncomingMessage, origin: string): Request {
  const { method = 'GET', url = '/', headers } = incoming
  const sent = new Headers()
  for (const [name, value] of Object.entries(headers)) for (const one of [value ?? []].flat()) sent.append(name, one)
  const isSent = method !== 'GET' && method !== 'HEAD' && hasBody(incoming)
  return new Request(`${origin}${url}`, {
    method,
    headers: sent,
    ...(isSent && { body: bodyOf(incoming), duplex: 'half' }),
  })
}

/** The request as handlers read it, without a Request. */
export function sentRequestOf(incoming: IncomingMessage, origin: string): SentRequest {
  const { method = 'GET', url = '/', headers } = incoming
  return {
    method,
    url: `${origin}${url}`,
    headers: {
      get: (name) => {
        const value = headers[name]
        return value === undefined ? null : [value].flat().join(', ')
      },
    },
    bytes: (maxBytes) => readIncomingBytes(incoming, maxBytes),
  }
}

/** A body that nobody reads stays with Node, which discards it after the answer and keeps the connection. */
function bodyOf(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  let pieces: NodeJS.AsyncIterator<Buffer> | undefined
  return new ReadableStream(
    {
      async pull(stream) {
        pieces ??= incoming.iterator({ destroyOnReturn: false })
        const piece = await pieces.next()
        if (piece.done) stream.close()
        else stream.enqueue(piece.value)
      },
    },
    { highWaterMark: 0 },
  )
}

/** Writes a whole answer. Of one to HEAD only its head goes out. */
export function writeWhole(
  response: ServerResponse,
  status: number,
  headers: Record<string, string>,
  body: Buffer | null,
): void {
  if (response.destroyed) return
  const { req } = response
  const isBodiless = status === 204 || status === 304
  response.writeHead(status, isBodiless ? headers : { ...headers, 'content-length': String(body?.length ?? 0) })
  response.end(isBodiless || req.method === 'HEAD' ? undefined : body)
}

/**
 * Writes an answer as its pieces come, no faster than the client takes them. When the client breaks off, the pieces'
 * source is told so; when the source fails, the connection breaks off, so that nobody takes the part for the whole.
 */
export async function writePieces(
  response: ServerResponse,
  status: number,
  headers: Record<string, string>,
  body: ReadableStream<Uint8Array>,
  encoding: Encoding,
): Promise<void> {
  if (response.destroyed || response.req.method === 'HEAD') {
    await body.cancel()
    if (!response.destroyed) response.writeHead(status, headers).end()
    return
  }
  response.writeHead(status, headers)
  // The Fetch standard's type of a stream and Node's differ in name only.
  const pieces = Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0])
  await (encoding === 'identity' ? pipeline(pieces, response) : pipeline(pieces, encodingStream(encoding), response))
}
