import { createHash } from 'node:crypto'
import { madeOnce } from '../../core/made-once.ts'
import { knownEtag } from './encoding.ts'

type KeptDocument = { etag: string; body: Uint8Array<ArrayBuffer> }
type Options = { name: string; type: string; maxAge?: number; make: () => string | Buffer }

/**
 * The answer of a route file whose document is the same for everybody while a process runs. It is made when it is first
 * asked for. Next takes Content-Encoding from what a route file answers, so compressing is left to Next. `name` belongs
 * to one document.
 */
export function answerKept(request: Request, { name, type, maxAge = 300, make }: Options): Response {
  const { etag, body } = madeOnce(`document ${name}`, () => keep(make()))
  const headers = { 'access-control-allow-origin': '*', 'cache-control': `public, max-age=${maxAge}`, etag }
  if (knownEtag(request.headers.get('if-none-match'), etag, ['identity']) !== null)
    return new Response(null, { status: 304, headers })
  return new Response(body, { headers: { ...headers, 'content-type': type } })
}

function keep(content: string | Buffer): KeptDocument {
  const etag = `"${createHash('sha256').update(content).digest('base64url').slice(0, 27)}"`
  return { etag, body: new Uint8Array(Buffer.from(content)) }
}
