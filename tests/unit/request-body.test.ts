import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { readIncomingBytes } from '../../lib/platform/http/request-body.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** What is read of a request of Node's server when its body is read. */
const incoming = () =>
  Object.assign(new Readable({ read: () => undefined }), { headers: { 'transfer-encoding': 'chunked' } })
const bytesOf = (sent: Readable, maxBytes: number) => readIncomingBytes(sent as unknown as IncomingMessage, maxBytes)

test('a body in chunks of one byte takes no more memory than its bytes', async () => {
  const sent = incoming()
  const body = bytesOf(sent, 1024 * 1024)
  collectGarbage()
  const before = process.memoryUsage().heapUsed
  for (let batch = 0; batch < 300; batch++) {
    for (let at = 0; at < 1_000; at++) sent.push(Buffer.from('x'))
    await setImmediate()
  }
  collectGarbage()
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(8_000_000)
  sent.push(null)
  expect((await body).equals(Buffer.alloc(300_000, 'x'))).toBe(true)
})

test.each([
  { sizes: [], most: 10 },
  { sizes: [10], most: 10 },
  { sizes: [1, 9], most: 10 },
  { sizes: [4, 4, 2], most: 10 },
  { sizes: [1, 1, 1, 700, 3, 5_000, 1], most: 100_000 },
])('pieces of $sizes bytes arrive whole and in order', async ({ sizes, most }) => {
  const sent = incoming()
  const body = bytesOf(sent, most)
  const pieces = sizes.map((size, at) => Buffer.alloc(size, at + 1))
  for (const piece of pieces) {
    sent.push(Buffer.from(piece))
    await setImmediate()
  }
  sent.push(null)
  expect((await body).equals(Buffer.concat(pieces))).toBe(true)
})

test.each([[[11]], [[10, 1]], [[4, 4, 4, 1]]])('pieces of %j bytes exceed 10 bytes', async (sizes) => {
  const sent = incoming()
  const body = bytesOf(sent, 10)
  for (const size of sizes) sent.push(Buffer.alloc(size))
  sent.push(null)
  await expect(body).rejects.toMatchObject({ code: 'body_too_large' })
})
