import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { acceptedEncodings, encodeBody, encodingStream, etagOf, knownEtag } from '../../lib/platform/http/encoding.ts'

test.each([
  [undefined, ['identity']],
  ['', ['identity']],
  ['gzip, deflate, br, zstd', ['br', 'gzip', 'identity']],
  ['gzip', ['gzip', 'identity']],
  ['x-gzip', ['gzip', 'identity']],
  ['br;q=0.5, gzip;q=0.8', ['gzip', 'br', 'identity']],
  ['BR ; Q = 0.5 , gzip;q=0', ['br', 'identity']],
  ['identity, br;q=0.9', ['identity', 'br']],
  ['*', ['br', 'gzip', 'identity']],
  ['*;q=0.5, gzip;q=0', ['br', 'identity']],
  ['identity;q=0, gzip', ['gzip']],
  ['*;q=0', ['identity']],
  ['br;q=2, gzip;q=x, identity', ['identity']],
  ['zstd, compress', ['identity']],
])('Accept-Encoding %j takes %j, best first', (accept, expected) => {
  expect(acceptedEncodings(accept)).toEqual(expected)
})

describe('If-None-Match', () => {
  const all = acceptedEncodings('br, gzip')

  test('each encoding has a tag of its own', () => {
    expect([etagOf('"a"', 'identity'), etagOf('"a"', 'br'), etagOf('"a"', 'gzip')]).toEqual([
      '"a"',
      '"a-br"',
      '"a-gzip"',
    ])
  })

  test.each([
    ['"a-br"', '"a-br"'],
    ['"b", W/"a-gzip"', '"a-gzip"'],
    ['"a"', '"a"'],
    ['*', '"a-br"'],
    ['"b-br"', null],
    ['a-br', null],
    ['', null],
  ])('%j names what the client has: %j', (sent, expected) => {
    expect(knownEtag(sent, '"a"', all)).toBe(expected)
  })

  test('the tag of an encoding that the client does not take is not its own', () => {
    expect(knownEtag('"a-br", "a-gzip"', '"a"', acceptedEncodings('gzip'))).toBe('"a-gzip"')
    expect(knownEtag('"a-br"', '"a"', acceptedEncodings(null))).toBeNull()
  })
})

test.each(['br', 'gzip'] as const)('a body in %s is smaller and decodes to what it was', async (encoding) => {
  const body = Buffer.from(JSON.stringify(Array.from({ length: 200 }, (_, at) => ({ id: at, name: `Item ${at}` }))))
  const encoded = await encodeBody(body, encoding)
  expect(encoded.length).toBeLessThan(body.length / 3)
  expect((encoding === 'br' ? brotliDecompressSync : gunzipSync)(encoded)).toEqual(body)
})

test.each(['br', 'gzip'] as const)(
  'what is written to a stream in %s goes out before the next piece',
  async (encoding) => {
    const stream = encodingStream(encoding)
    const arrived = stream[Symbol.asyncIterator]()
    for (const piece of ['one\n', 'two\n']) {
      stream.write(piece)
      const { value } = await arrived.next()
      expect((value as Buffer).length).toBeGreaterThan(0)
    }
  },
)
