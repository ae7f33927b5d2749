import { createHash } from 'node:crypto'
import { madeOnce } from '../../core/made-once.ts'
import { acceptedEncodings, encodeBody, type Encoding, etagOf, knownEtag } from './encoding.ts'
import { ownBytes } from './hot/kept-bodies.ts'

type KeptDocument = { etag: string; body: Buffer; encoded: Map<Encoding, Promise<Buffer>> }
type Options = { name: string; type: string; maxAge?: number; make: () => string | Buffer }

/**
 * The answer of a route file whose document is the same for everybody while a process runs. It is made when it is first asked for, and so is each
 * of its encodings, so that asking again and again takes no work. `name` belongs to one document.
 */
export async function answerKept(request: Request, { name, type, maxAge = 300, make }: Options): Promise<Response> {
  const { etag, body, encoded } = madeOnce(`document ${name}`, () => keep(make()))
  const accepted = acceptedEncodings(request.headers.get('accept-encoding'))
  const known = knownEtag(request.headers.get('if-none-match'), etag, accepted)
  const encoding = accepted[0]!
  const headers = {
    'access-control-allow-origin': '*',
    // Next would deflate it anew for each client that takes nothing else.
    'cache-control': `public, max-age=${maxAge}, no-transform`,
    etag: known ?? etagOf(etag, encoding),
    vary: 'Accept-Encoding',
  }
  if (known !== null) return new Response(null, { status: 304, headers })
  const bytes = await (encoded.get(encoding) ?? encode(body, encoding, encoded))
  const more = { 'content-type': type, ...(encoding !== 'identity' && { 'content-encoding': encoding }) }
  return new Response(new Uint8Array(bytes), { headers: { ...headers, ...more } })
}

function keep(content: string | Buffer): KeptDocument {
  const etag = `"${createHash('sha256').update(content).digest('base64url').slice(0, 27)}"`
  return { etag, body: ownBytes(Buffer.from(content)), encoded: new Map() }
}

/** Whoever asks meanwhile waits for the same work. One that failed isn't kept. */
function encode(body: Buffer, encoding: Encoding, encoded: KeptDocument['encoded']): Promise<Buffer> {
  const made = encodeBody(body, encoding).then(ownBytes)
  encoded.set(encoding, made)
  made.catch(() => encoded.delete(encoding))
  return made
}
