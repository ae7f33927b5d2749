import { promisify } from 'node:util'
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib'
import type { Transform } from 'node:stream'

export type Encoding = 'br' | 'gzip' | 'identity'

/** A shorter body is sent as it is: it would hardly get smaller. */
export const MIN_ENCODED_BYTES = 1024

const GZIP = { level: 6 }
const brotliOptions = (sizeHint = 0) => ({
  params: {
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_QUALITY]: 4, // smaller than gzip's best, and faster
    [constants.BROTLI_PARAM_LGWIN]: 19, // 0.5 MB for each stream, where the default takes 4 MB
    [constants.BROTLI_PARAM_SIZE_HINT]: sizeHint,
  },
})

/**
 * The encodings that a request takes, best first (RFC 9110, 12.5.3): by their q-values, Brotli before gzip before none.
 * Without Accept-Encoding, and when it excludes all of them, the body is sent as it is.
 */
export function acceptedEncodings(accept: string | null | undefined): Encoding[] {
  if (!accept) return ['identity']
  const weights = new Map(accept.split(',').map(weightOf))
  const any = weights.get('*')
  const weight = (encoding: Encoding): number =>
    weights.get(encoding) ??
    (encoding === 'gzip' ? weights.get('x-gzip') : undefined) ??
    any ??
    (encoding === 'identity' ? LEAST : 0)
  const all: Encoding[] = ['br', 'gzip', 'identity']
  const accepted = all.filter((encoding) => weight(encoding) > 0).sort((a, b) => weight(b) - weight(a))
  return accepted.length > 0 ? accepted : ['identity']
}

/** An unnamed identity is acceptable, after everything that is named. */
const LEAST = 0.0001

function weightOf(entry: string): [string, number] {
  const [name = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase())
  const quality = parameters.find((parameter) => /^q\s*=/.test(parameter))
  const weight = quality === undefined ? 1 : Number(quality.slice(quality.indexOf('=') + 1))
  return [name, weight >= 0 && weight <= 1 ? weight : 0]
}

/** Two encodings of one content are two representations, each with a tag of its own. */
export const etagOf = (etag: string, encoding: Encoding): string =>
  encoding === 'identity' ? etag : `${etag.slice(0, -1)}-${encoding}"`

/**
 * The ETag in If-None-Match that stands for this content in an encoding that the client takes. null: there is none. A
 * cache may also name encodings that it keeps for other clients; they don't count.
 * @param etag the ETag of the unencoded content
 */
export function knownEtag(
  ifNoneMatch: string | null | undefined,
  etag: string,
  accepted: readonly Encoding[],
): string | null {
  if (!ifNoneMatch) return null
  const sent = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  const tags = accepted.map((encoding) => etagOf(etag, encoding))
  return tags.find((tag) => sent.includes(tag)) ?? (sent.includes('*') ? tags[0]! : null)
}

/**
 * If-None-Match with the tags of the content as it is beside those of its encodings, for a handler that knows only the
 * former.
 */
export function plainTags(ifNoneMatch: string, accepted: readonly Encoding[]): string {
  const sent = ifNoneMatch.split(',').map((tag) => tag.trim())
  const plain = accepted.flatMap((encoding) => {
    const end = `-${encoding}"`
    return sent.filter((tag) => tag.endsWith(end)).map((tag) => `${tag.slice(0, -end.length)}"`)
  })
  return [...sent, ...plain].join(', ')
}

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/** A body in an encoding. The work is done outside the event loop. */
export async function encodeBody(body: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === 'br') return brotli(body, brotliOptions(body.length))
  return encoding === 'gzip' ? zip(body, GZIP) : body
}

/** Encodes a stream. Whatever was written goes out before more is awaited. */
export const encodingStream = (encoding: Exclude<Encoding, 'identity'>): Transform =>
  encoding === 'br'
    ? createBrotliCompress({ ...brotliOptions(), flush: constants.BROTLI_OPERATION_FLUSH })
    : createGzip({ ...GZIP, flush: constants.Z_SYNC_FLUSH })
