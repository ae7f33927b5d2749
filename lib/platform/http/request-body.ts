import type { IncomingMessage } from 'node:http'
import { AppError } from '../../core/errors.ts'
import { readBounded } from '../../core/read-bounded.ts'
import { sizeText } from './body-limits.ts'

export const bodyTooLarge = (maxBytes: number) =>
  new AppError('body_too_large', `The body is larger than ${sizeText(maxBytes)}.`)

/**
 * A request's body, at most `maxBytes`. Throws body_too_large, before reading when Content-Length exceeds it, and invalid_request when the
 * client breaks off.
 */
export async function readBodyBytes(request: Request, maxBytes: number): Promise<Buffer> {
  assertDeclared(request.headers.get('content-length'), maxBytes)
  return readBounded(request.body, maxBytes, () => bodyTooLarge(maxBytes)).catch(brokenOff)
}

/** The same of a request of Node's server, without a stream of the Fetch standard. Its connection stays usable in any case. */
export async function readIncomingBytes(incoming: IncomingMessage, maxBytes: number): Promise<Buffer> {
  assertDeclared(incoming.headers['content-length'], maxBytes)
  return hasBody(incoming) ? readPieces(incoming, maxBytes).catch(brokenOff) : NONE
}

/**
 * In one growing buffer: a client may send each byte in a chunk of its own, and a Buffer of one byte takes hundreds. What comes after the limit
 * is dropped.
 */
function readPieces(incoming: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let all: Buffer = NONE
    let bytes = 0
    const take = (piece: Buffer) => {
      const before = bytes
      bytes += piece.length
      if (bytes > maxBytes) {
        all = NONE
        return reject(bodyTooLarge(maxBytes))
      }
      if (before === 0) return void (all = piece)
      if (bytes > all.length) all = Buffer.concat([all.subarray(0, before)], Math.min(2 * bytes, maxBytes))
      piece.copy(all, before)
    }
    const broken = () => reject(new Error('The client broke off.'))
    const end = () => {
      incoming.off('close', broken)
      resolve(all.subarray(0, bytes))
    }
    if (incoming.destroyed) return broken()
    incoming.on('data', take).once('end', end).once('error', broken).once('close', broken)
  })
}

const NONE = Buffer.alloc(0)

/** Whether a request says that it has a body. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

function assertDeclared(length: string | null | undefined, maxBytes: number): void {
  if (Number(length ?? 0) > maxBytes) throw bodyTooLarge(maxBytes)
}

function brokenOff(error: unknown): never {
  throw error instanceof AppError ? error : new AppError('invalid_request', 'The body broke off.', { cause: error })
}

/** The same as text. */
export const readBodyText = async (request: Request, maxBytes: number): Promise<string> =>
  (await readBodyBytes(request, maxBytes)).toString('utf8')

/** The same as a form, url-encoded or multipart. Throws invalid_request for a body that isn't one. */
export const readBodyForm = async (request: Request, maxBytes: number): Promise<FormData> =>
  formOf(request.headers.get('content-type') ?? '', await readBodyBytes(request, maxBytes))

/** A form that was read whole, by its content type. Throws invalid_request. */
export async function formOf(type: string, bytes: Buffer): Promise<FormData> {
  const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } })
    .formData()
    .catch(() => null)
  if (!form) throw new AppError('invalid_request', 'The body is not a valid form.')
  return form
}
