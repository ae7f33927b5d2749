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

test('a document is made once, however often it is asked for', async () => {
  const { counted, answer } = documentOf()
  const [first, second] = [answer(), answer({ 'accept-encoding': 'gzip, br' })]
  expect([await first.text(), await second.text()]).toEqual([TEXT, TEXT])
  // Next would take it away from a route file's answer, and the client would read compressed bytes as text.
  expect(second.headers.get('content-encoding')).toBeNull()
  expect(counted.made).toBe(1)
})

test('whoever has the document is told so', async () => {
  const { answer } = documentOf()
  const etag = answer().headers.get('etag')!
  expect(etag).toMatch(/^"[\w-]{27}"$/)
  const again = answer({ 'if-none-match': etag })
  expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, etag, ''])
  expect(answer({ 'if-none-match': '"another"' }).status).toBe(200)
})

describe('the OpenAPI documents', () => {
  test.each([
    ['admin', getAdminDocument],
    ['public', getPublicDocument],
  ] as const)('the %s document is sent as it is kept', async (which, get) => {
    const first = get(ask())
    expect(await first.json()).toEqual(openapi(endpoints, which, env.ORIGIN))
    expect(first.headers.get('access-control-allow-origin')).toBe('*')
    expect(get(ask({ 'if-none-match': first.headers.get('etag')! })).status).toBe(304)
  })
})
