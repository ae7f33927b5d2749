import type { IncomingMessage } from 'node:http'
import { AppError } from '../../core/errors.ts'
import { readBounded } from '../../core/read-bounded.ts'
import { sizeText } from './body-limits.ts'

export const bodyTooLarge = (maxBytes: number) =>
  new AppError('body_too_large', `The body is larger than ${sizeText(maxBytes)}.`)

/**
 * A request's body, at most `maxBytes`. Throws body_too_large, before reading when Content-Length exceeds it, and
 * invalid_request when the client breaks off.
 */
export async function readBodyBytes(request: Request, maxBytes: number): Promise<Buffer> {
  assertDeclared(request.headers.get('content-length'), maxBytes)
  return readBounded(request.body, maxBytes, () => bodyTooLarge(maxBytes)).catch(brokenOff)
}

/**
 * A request's body as `readBodyBytes` gives it, read from Node's server without a stream of the Fetch standard. Its
 * connection stays usable in any case.
 */
export async function readIncomingBytes(incoming: IncomingMessage, maxBytes: number): Promise<Buffer> {
  assertDeclared(incoming.headers['content-length'], maxBytes)
  return hasBody(incoming) ? readPieces(incoming, maxBytes).catch(brokenOff) : NONE
}

/**
 * In one growing buffer: a client may send each byte in a chunk of its own, and a Buffer of one byte takes hundreds.
 * What comes after the limit is dropped.
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

/** A request's body as text. Throws as `readBodyBytes` does. */
export const readBodyText = async (request: Request, maxBytes: number): Promise<string> =>
  (await readBodyBytes(request, maxBytes)).toString('utf8')

/**
 * A request's body as a form, url-encoded or multipart. Throws as `readBodyBytes` does, and invalid_request for a body
 * that isn't a form.
 */
export const readBodyForm = async (request: Request, maxBytes: number): Promise<FormData> =>
  formOf(request.headers.get('content-type') ?? '', await readBodyBytes(request, maxBytes))

/** More fields than any form of ours has: reading each takes a while. */
const MAX_PARTS = 1_000
/** The most bytes of a field's head, which comes before its content. */
const MAX_HEAD_BYTES = 8 * 1024

/** A form that was read whole, by its content type. Throws invalid_request. */
export async function formOf(type: string, bytes: Buffer): Promise<FormData> {
  const boundary = boundaryOf(type)
  if (boundary !== null) partsOf(boundary, bytes)
  const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } })
    .formData()
    .catch(() => null)
  if (!form) throw new AppError('invalid_request', 'The body is not a valid form.')
  return form
}

const NEW_LINE = Buffer.from('\r\n')
const HEAD_END = Buffer.from('\r\n\r\n')

/** The line that begins each part of a multipart form; null where the content type names none. */
function boundaryOf(type: string): Buffer | null {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(type) ?? []
  const boundary = quoted ?? plain
  return boundary === undefined ? null : Buffer.from(`--${boundary}`)
}

/**
 * The parts of a multipart form, each with the line that begins it, without copies. Throws invalid_request for too
 * many.
 */
function partsOf(boundary: Buffer, bytes: Buffer): Buffer[] {
  const end = Buffer.concat([NEW_LINE, boundary])
  const parts: Buffer[] = []
  for (let from = bytes.indexOf(boundary), to = 0; from !== -1; from = to + NEW_LINE.length) {
    to = bytes.indexOf(end, from + boundary.length)
    if (to === -1) break
    parts.push(bytes.subarray(from, to))
    if (parts.length > MAX_PARTS) throw new AppError('invalid_request', `A form has at most ${MAX_PARTS} fields.`)
  }
  return parts
}

/** A field of a multipart form. `file`: its name, where it is one. */
type Field = { name: string; file: string | null; content: Buffer }

/**
 * The fields of a multipart form that was read whole. Contents aren't copied, since files are large. Throws
 * invalid_request.
 */
export async function fieldsOf(type: string, bytes: Buffer): Promise<Field[]> {
  const boundary = boundaryOf(type) ?? NONE
  const parts = boundary === NONE ? [] : partsOf(boundary, bytes)
  const heads = parts.map((part) => {
    const end = part.subarray(0, MAX_HEAD_BYTES).indexOf(HEAD_END)
    if (end === -1) throw new AppError('invalid_request', 'The body is not a valid form.')
    return part.subarray(0, end + HEAD_END.length)
  })
  // The platform's parser reads the heads, as those of a form without contents.
  const form = await formOf(
    type,
    Buffer.concat([...heads.flatMap((head) => [head, NEW_LINE]), boundary, Buffer.from('--')]),
  )
  return [...form].map(([name, entry], at) => {
    const content = parts[at]!.subarray(heads[at]!.length)
    const isBase64 = /^content-transfer-encoding:\s*base64/im.test(heads[at]!.toString('latin1'))
    return {
      name,
      file: typeof entry === 'string' ? null : entry.name,
      content: isBase64 ? Buffer.from(content.toString('latin1'), 'base64') : content,
    }
  })
}
