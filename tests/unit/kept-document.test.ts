import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { newId } from '../../lib/core/id.ts'
import { endpoints } from '../../lib/platform/api/index.ts'
import { openapi } from '../../lib/platform/api/openapi.ts'
import { env } from '../../lib/core/env.ts'
import { answerKept } from '../../lib/platform/http/kept-document.ts'
import { GET as getAdminDocument } from '../../app/openapi/admin.json/route.ts'
import { GET as getPublicDocument } from '../../app/openapi/public.json/route.ts'

const TEXT = 'A document that is long enough. '.repeat(100)
const ask = (headers: Record<string, string> = {}) => new Request('http://localhost/document', { headers })

function documentOf(text = TEXT) {
  const counted = { made: 0 }
  const options = { name: newId(), type: 'text/plain', make: () => (counted.made++, text) }
  return { counted, answer: (headers?: Record<string, string>) => answerKept(ask(headers), options) }
}
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer())

test('a document is made once, however often and in whatever encoding it is asked for', async () => {
  const { counted, answer } = documentOf()
  const [plain, br, gzip] = await Promise.all([
    answer(),
    answer({ 'accept-encoding': 'gzip, br' }),
    answer({ 'accept-encoding': 'gzip' }),
  ])
  expect((await bytesOf(plain)).toString()).toBe(TEXT)
  expect(brotliDecompressSync(await bytesOf(br)).toString()).toBe(TEXT)
  expect(gunzipSync(await bytesOf(gzip)).toString()).toBe(TEXT)
  expect([plain, br, gzip].map(({ headers }) => headers.get('content-encoding'))).toEqual([null, 'br', 'gzip'])
  expect(new Set([plain, br, gzip].map(({ headers }) => headers.get('etag'))).size).toBe(3)
  expect(plain.headers.get('vary')).toBe('Accept-Encoding')
  expect(counted.made).toBe(1)
})

test('whoever has the document is told so, by the tag of its encoding', async () => {
  const { answer } = documentOf()
  for (const encoding of ['identity', 'gzip', 'br']) {
    const etag = (await answer({ 'accept-encoding': encoding })).headers.get('etag')!
    const again = await answer({ 'accept-encoding': encoding, 'if-none-match': etag })
    expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, etag, ''])
  }
  expect((await answer({ 'if-none-match': '"another"' })).status).toBe(200)
})

describe('the OpenAPI documents', () => {
  test.each([
    ['admin', getAdminDocument],
    ['public', getPublicDocument],
  ] as const)('%s', async (which, get) => {
    const first = await get(ask())
    expect(await first.json()).toEqual(openapi(endpoints, which, env.ORIGIN))
    expect(first.headers.get('access-control-allow-origin')).toBe('*')
    expect((await get(ask({ 'if-none-match': first.headers.get('etag')! }))).status).toBe(304)
  })
})
