import type { IncomingMessage } from 'node:http'
import { AppError } from '../../core/errors.ts'
import { isPageUrl } from './front-server.ts'
import type { Application } from './http-server.ts'
import { writeWhole } from './node-http.ts'
import { problemAnswer } from './problem.ts'
import { formOf, hasBody } from './request-body.ts'
import { REQUEST_ID_HEADER, requestIdFrom } from './request-id.ts'

/**
 * Refuses forms and actions of pages that aren't well-formed before Next gets them: it decodes a body without checking
 * it, and what is wrong with one would be an error of ours. `maxBodyBytesOf` bounds what is read here.
 */
export const withReadableForms =
  (pages: Application): Application =>
  async (request, response, turn, head) => {
    if (!isForm(request) || (await isReadable(request))) return pages(request, response, turn, head)
    const requestId = requestIdFrom(String(request.headers[REQUEST_ID_HEADER]))
    const { status, headers, body } = problemAnswer(malformed(), requestId)
    writeWhole(response, status, { ...head, ...headers, 'request-id': requestId }, body)
  }

const malformed = () => new AppError('invalid_request', 'This is not a form of this page. Open the page again.')

const typeOf = ({ headers }: IncomingMessage): string => headers['content-type'] ?? ''
/** Next takes a POST for one by the header of its own script, or without script by the content type. */
const isForm = (request: IncomingMessage): boolean =>
  request.method === 'POST' &&
  isPageUrl(request.url ?? '/') &&
  (request.headers['next-action'] !== undefined || isMultipart(typeOf(request)))
const isMultipart = (type: string): boolean => /^multipart\/form-data\b/i.test(type)

async function isReadable(request: IncomingMessage): Promise<boolean> {
  const bytes = hasBody(request) ? await peek(request) : Buffer.alloc(0)
  if (bytes === null) return false
  const type = typeOf(request)
  if (!isMultipart(type)) return /^text\/plain\b/i.test(type) && isReply(new Map([['0', bytes.toString()]]), '', '0')
  const form = await formOf(type, bytes).catch(() => null)
  if (!form) return false
  const parts: Parts = new Map(form)
  if (request.headers['next-action'] !== undefined) return isReply(parts, '', '0')
  return [...parts.keys()].every((name) => {
    const prefix = /^\$ACTION_REF_(.*)$/s.exec(name)?.[1]
    return prefix === undefined || isReply(parts, `$ACTION_${prefix}:`, '0')
  })
}

/** The whole body, which whoever reads the request next gets again; null when its client breaks off. */
function peek(request: IncomingMessage): Promise<Buffer | null> {
  const pieces: Buffer[] = []
  return new Promise((resolve) => {
    const end = (bytes: Buffer | null) => {
      request.off('readable', take).off('end', ended).off('close', broken).off('error', broken)
      resolve(bytes)
    }
    const broken = () => end(null)
    const ended = () => end(Buffer.concat(pieces))
    const take = () => {
      for (let piece = request.read() as Buffer | null; piece; piece = request.read() as Buffer | null)
        pieces.push(piece)
      if (!request.complete) return
      const bytes = Buffer.concat(pieces)
      // Before the stream says that it has ended.
      if (bytes.length > 0) request.unshift(bytes)
      end(bytes)
    }
    request.on('readable', take).on('end', ended).on('close', broken).on('error', broken)
  })
}

type Parts = ReadonlyMap<string, FormDataEntryValue>

/**
 * Whether React can read these parts: each that is referred to exists and is JSON. Pages of ours send values and forms,
 * and nothing of the other kinds that React knows (files outside of forms, functions, streams).
 */
function isReply(parts: Parts, prefix: string, root: string): boolean {
  const waiting = [root]
  const seen = new Set(waiting)
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    const references = referencesIn(parts.get(prefix + id))
    if (references === null) return false
    for (const each of references) {
      if (seen.has(each)) continue
      seen.add(each)
      waiting.push(each)
    }
  }
  return true
}

/** More values than any page of ours sends in one part. */
const MAX_VALUES = 20_000

/** The parts that a part refers to. null: the part can't be read. */
function referencesIn(part: FormDataEntryValue | undefined): string[] | null {
  const whole = typeof part === 'string' ? jsonOf(part) : undefined
  if (whole === undefined) return null
  const references: string[] = []
  const values: unknown[] = [whole]
  for (let at = 0; at < values.length; at++) {
    const value = values[at]
    if (typeof value === 'object' && value !== null) {
      const inner: unknown[] = Object.values(value)
      if (values.length + inner.length > MAX_VALUES) return null
      values.push(...inner)
    }
    if (typeof value !== 'string' || !value.startsWith('$')) continue
    const id = /^\$[@QWi]?([0-9a-f]+)(?::|$)/.exec(value)?.[1]
    if (id !== undefined)
      references.push(String(parseInt(id, 16))) // in hex, while names of parts are decimal
    else if (!PLAIN.test(value)) return null // of a kind that no page of ours sends
  }
  return references
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Text that begins with $, undefined, numbers that JSON lacks, dates, big integers, and forms, whose fields are parts
 * of their own.
 */
const PLAIN = /^\$(?:\$|undefined$|NaN$|-?Infinity$|-0$|D\d{4}-|n-?\d+$|K[0-9a-f]+$|T)/
