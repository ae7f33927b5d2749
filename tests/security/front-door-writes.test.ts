import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import sharp from 'sharp'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import type { Endpoint } from '../../lib/platform/api/endpoint.ts'
import { answerEndpoints } from '../../lib/platform/http/answer-endpoints.ts'
import { type Handler, serve } from '../../lib/platform/http/serve.ts'
import { newId } from '../../lib/core/id.ts'
import { call } from '../support/call.ts'
import { ask, comparable, frontDoor, next, own } from '../support/front-door.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'

const RED = { width: 8, height: 8, channels: 3, background: '#f00' } as const

let mine: TestOrganization
beforeAll(async () => {
  mine = await makeOrganization()
})

describe('writes', () => {
  const body = () => JSON.stringify({ name: newId(), description: 'Ünïted '.repeat(500) })
  const headers = () => ({ authorization: `Bearer ${mine.key}`, 'content-type': 'application/json' })
  /** The pieces of a body, of undeclared length. */
  const inPieces = (text: string, bytes: number) =>
    new ReadableStream<Uint8Array>({
      start(stream) {
        const all = Buffer.from(text)
        for (let at = 0; at < all.length; at += bytes) stream.enqueue(all.subarray(at, at + bytes))
        stream.close()
      },
    })

  test('a body arrives whole, declared and in chunks, as a route file gets it', async () => {
    const server = await frontDoor()
    const sent = [body(), inPieces(body(), 2000), inPieces(body(), 1013)]
    const answers = await Promise.all(
      sent.map((each) =>
        fetch(`${server.url}/v1/collections`, {
          method: 'POST',
          headers: headers(),
          body: each,
          duplex: 'half',
        } as RequestInit),
      ),
    )
    const after = await call('POST', '/v1/collections', { key: mine.key, text: body() })
    for (const answer of answers) {
      expect([answer.status, (await answer.json()).description]).toEqual([201, after.body.description])
      expect(Object.keys(comparable(answer.headers)).sort()).toEqual(Object.keys(comparable(after.headers)).sort())
    }
  })

  test.each([
    ['without a body', {}, '', 400],
    ['of another type', { 'content-type': 'text/plain' }, '{}', 415],
    ['that is no JSON', {}, '{"name":', 400],
    ['with a key that is too long', { 'idempotency-key': 'x'.repeat(256) }, '{}', 400],
  ])('a request %s is refused alike both ways', async (_, more, text, status) => {
    const server = await frontDoor()
    const all = { ...headers(), 'request-id': 'one-request', ...more }
    const before = await ask(`${server.url}/v1/collections`, { method: 'POST', headers: all, body: text })
    const after = await call('POST', '/v1/collections', { headers: all, text })
    expect([before.status, JSON.parse(before.body)]).toEqual([after.status, after.body])
    expect(before.status).toBe(status)
  })

  test('a repeat gets the stored answer, whichever way the first request came', async () => {
    const server = await frontDoor()
    const all = { ...headers(), 'idempotency-key': newId() }
    const text = body()
    const after = await call('POST', '/v1/collections', { headers: all, text })
    const again = await ask(`${server.url}/v1/collections`, { method: 'POST', headers: all, body: text })
    expect([again.status, again.headers['idempotent-replayed'], JSON.parse(again.body)]).toEqual([
      201,
      'true',
      after.body,
    ])
  })

  test('a file in a form is taken', async () => {
    const server = await frontDoor()
    const form = new FormData()
    form.set('file', new File([await sharp({ create: RED }).png().toBuffer()], 'a.png', { type: 'image/png' }))
    const answer = await fetch(`${server.url}/v1/media`, {
      method: 'POST',
      headers: { authorization: `Bearer ${mine.key}` },
      body: form,
    })
    expect([answer.status, (await answer.json()).name]).toEqual([201, 'a.png'])
  })

  /** A write of this test's own, and what became of its first request. */
  function observed() {
    const taken: unknown[] = []
    const more = { method: 'POST', body: z.object({}).loose() } as Partial<Endpoint>
    const handler = serve(own('/v1/slow', more), async (_, input) => void taken.push(input) as never)
    const answered = Promise.withResolvers<Awaited<ReturnType<Handler['answer']>>>()
    const answer: Handler['answer'] = async (...asked) => {
      const given = await handler.answer(...asked)
      answered.resolve(given)
      return given
    }
    return { handler: Object.assign(handler.bind(null), { endpoint: handler.endpoint, answer }), taken, answered }
  }

  test('of a body that breaks off nothing is done', async () => {
    const { handler, taken, answered } = observed()
    const server = await frontDoor([handler])
    const socket = connect(server.port, '127.0.0.1')
    const head =
      'POST /v1/slow HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"a":1}'
    socket.write(head)
    await expect.poll(() => server.bytesRead()).toBe(head.length)
    socket.destroy()
    const { status, body } = await answered.promise
    expect([status, JSON.parse(String(body)).code]).toEqual([400, 'invalid_request'])
    expect(taken).toEqual([])
  })

  test('of a request whose body doesn’t come nothing is done: it is answered 408, and its connection ends', async () => {
    const { handler, taken } = observed()
    const server = await frontDoor([handler], { atOnce: 0, waiting: 0, seconds: 0.2 })
    const socket = connect(server.port, '127.0.0.1')
    socket.write('POST /v1/slow HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 7\r\n\r\n{"a"')
    const [head] = (await once(socket, 'data')) as [Buffer]
    expect(String(head)).toMatch(/^HTTP\/1\.1 408 /)
    socket.write(':1}')
    await once(socket.resume(), 'close')
    expect(taken).toEqual([])
  })

  test('a body beyond its endpoint’s limit is refused, and no more of it is kept, even where the server sets none', async () => {
    const { handler, taken } = observed()
    const application = answerEndpoints([handler], { origin: 'http://localhost', seconds: 0 }, next)
    const server = createServer(
      (request, response) => void application(request, response, { end: () => undefined }, {}),
    )
    onTestFinished(() => void server.close())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/slow`
    for (const large of [' '.repeat(1024 * 1024 + 1), inPieces(' '.repeat(3_000_000), 64_000)]) {
      const answer = await fetch(url, {
        method: 'POST',
        headers: headers(),
        body: large,
        duplex: 'half',
      } as RequestInit)
      expect([answer.status, (await answer.json()).code]).toEqual([413, 'body_too_large'])
    }
    expect(taken).toEqual([])
  })

  test('no Request and no Response of the Fetch standard is made of one', async () => {
    const server = await frontDoor()
    const fetched = class {
      constructor() {
        throw new Error('A request of the Fetch standard was made.')
      }
    }
    vi.stubGlobal('Request', fetched)
    vi.stubGlobal('Response', fetched)
    onTestFinished(() => void vi.unstubAllGlobals())
    const made = await ask(`${server.url}/v1/collections`, { method: 'POST', headers: headers(), body: body() })
    const refused = await ask(`${server.url}/v1/collections`, { method: 'POST', headers: headers(), body: '{' })
    expect([made.status, refused.status]).toEqual([201, 400])
  })
})
