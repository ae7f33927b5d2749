import { expect, test } from 'vitest'
import { AnswerReader } from '../bench/http/answer-reader.ts'

const KNOWN = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 11\r\n\r\nten and one'
const CHUNKED =
  'HTTP/1.1 404 Not Found\r\ntransfer-encoding: chunked\r\n\r\n5\r\n0\r\n\r\n\r\nb;name=value\r\nten and one\r\n0\r\nTrailer: 1\r\n\r\n'
const NOT_MODIFIED = 'HTTP/1.1 304 Not Modified\r\nETag: "a"\r\nContent-Length: 11\r\n\r\n'
const ALL = [KNOWN, CHUNKED, NOT_MODIFIED, KNOWN, CHUNKED]

test.each([1, 2, 3, 7, 64, 4096])('answers that arrive in pieces of %d bytes are told apart', (size) => {
  const reader = new AnswerReader()
  const statuses = ALL.map((answer) => {
    const bytes = Buffer.from(answer)
    const read: (number | null)[] = []
    for (let at = 0; at < bytes.length; at += size) read.push(reader.read(bytes.subarray(at, at + size)))
    expect(read.slice(0, -1).every((status) => status === null)).toBe(true)
    return read.at(-1)
  })
  expect(statuses).toEqual([200, 404, 304, 200, 404])
})

test('an answer that ends only with its connection is an error', () => {
  expect(() => new AnswerReader().read(Buffer.from('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nbody'))).toThrow(
    'where it ends',
  )
})
