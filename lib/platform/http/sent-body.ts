import { isUtf8 } from 'node:buffer'
import { hash } from 'node:crypto'
import { setImmediate as breathe } from 'node:timers/promises'
import type { Endpoint } from '../api/endpoint.ts'
import { AppError, fieldError } from '../../core/errors.ts'
import { MAX_BODY_BYTES, MAX_FILE_BYTES, MAX_UPLOAD_BYTES, sizeText } from './body-limits.ts'
import { parseExactJson } from './exact-json.ts'
import { parseBody } from './parse-input.ts'
import { fieldsOf } from './request-body.ts'
import type { SentRequest } from './request-head.ts'

/** A parsed body, and a fingerprint that is equal for a repetition of the same request. */
type Sent = { value: unknown; fingerprint: string }
const NO_BODY: Sent = { value: {}, fingerprint: '' }

/**
 * A request's body as its endpoint describes it. Its text isn't kept: a file's is large. Throws when the answer is no
 * longer awaited.
 */
export async function bodyOf(endpoint: Endpoint, request: SentRequest, signal: AbortSignal | undefined) {
  const { value, fingerprint } = endpoint.body ? await readBody(endpoint, request) : NO_BODY
  signal?.throwIfAborted() // a body that came too late may be cut short
  return { body: parseBody(endpoint, value), fingerprint }
}

export async function readBody(endpoint: Pick<Endpoint, 'upload'>, request: SentRequest): Promise<Sent> {
  const type = request.headers.get('content-type') ?? ''
  const bytes = await request.bytes(endpoint.upload ? MAX_UPLOAD_BYTES : MAX_BODY_BYTES)
  const encoding = request.headers.get('content-encoding') ?? 'identity'
  if (bytes.length > 0 && !/^(?:identity)?$/i.test(encoding.trim()))
    throw new AppError('unsupported_media_type', 'Send the body as it is, without Content-Encoding.')
  if (endpoint.upload && /^multipart\/form-data\s*;/i.test(type)) return readForm(type, bytes)
  if (bytes.length > 0 && !JSON_TYPE.test(type))
    throw new AppError(
      'unsupported_media_type',
      `Send the body as application/json${endpoint.upload ? ' or multipart/form-data' : ''}.`,
    )
  if (!UTF8.test(/;\s*charset\s*=([^;]*)/i.exec(type)?.[1] ?? 'utf-8'))
    throw new AppError('unsupported_media_type', 'Send the body in UTF-8.')
  if (!isUtf8(bytes)) throw new AppError('invalid_request', 'The body is not valid UTF-8.')
  const text = bytes.toString('utf8').replace(/^\ufeff/, '') // some clients begin with a byte order mark
  if (bytes.length <= MAX_BODY_BYTES) return { value: valueOf(text), fingerprint: text }
  // Others have their turn meanwhile, and the text isn't kept.
  await breathe()
  const fingerprint = hash('sha256', bytes, 'base64url')
  await breathe()
  const value = valueOf(text)
  await breathe()
  return { value, fingerprint }
}

const valueOf = (text: string): unknown => (text.trim() === '' ? {} : parseExactJson(text))

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i
const UTF8 = /^\s*"?utf-?8"?\s*$/i

/**
 * A multipart form as a body. The fingerprint covers names and contents, since clients choose a new boundary each time.
 */
async function readForm(type: string, bytes: Buffer): Promise<Sent> {
  const value: Record<string, unknown> = {}
  const names = new Set<string>()
  const print: unknown[] = []
  for (const { name, file, content } of await fieldsOf(type, bytes)) {
    if (names.has(name)) throw fieldError('invalid_request', name, 'This field is given more than once.', 'repeated')
    names.add(name)
    if (file !== null && content.length > MAX_FILE_BYTES)
      throw new AppError('body_too_large', `The file is larger than ${sizeText(MAX_FILE_BYTES)}.`)
    const text = file === null ? content.toString('utf8') : null
    if (text !== '') value[name] = text ?? { name: file, bytes: content }
    await breathe() // others have their turn meanwhile
    print.push([name, file ?? text, hash('sha256', content, 'base64url')])
  }
  return { value, fingerprint: JSON.stringify(print) }
}
