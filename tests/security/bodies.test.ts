import { globSync } from 'node:fs'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { crc32, deflateSync } from 'node:zlib'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { maxBodyBytesOf } from '../../lib/platform/http/body-limits.ts'
import type { Application } from '../../lib/platform/http/http-server.ts'
import { renderImage } from '../../lib/records/media/render-image.ts'
import { endpoints } from '../../lib/platform/api/index.ts'
import { frontDoor } from '../support/front-door.ts'
import { makeOrganization } from '../support/organization.ts'
import { expectDocumented } from '../support/recorded-answers.ts'
import { chunks, sendRaw } from '../support/send-raw.ts'
import { startWebServer } from '../support/web-server.ts'

const root = path.resolve(import.meta.dirname, '../..')
const MIB = 1024 * 1024
const SENT_BYTES = 200 * MIB
/** What the server's and the system's buffers hold of what is still being sent. */
const BUFFERED_BYTES = MIB

const WRITES = ['POST', 'PUT', 'PATCH'] as const
type RouteModule = Partial<Record<(typeof WRITES)[number], (request: Request, route: object) => Promise<Response>>>

/** Every route file with a method that takes a body, and every page, which takes the forms of its server actions. */
const routeFiles = globSync('app/**/route.ts', { cwd: root }).sort()
const urlOf = (file: string) =>
  `/${path.dirname(file).replace(/^app\/?/, '')}`.replace(/\[\.\.\.\w+\]/g, 'signin/email').replace(/\[\w+\]/g, 'x')
const pages = globSync('app/**/page.tsx', { cwd: root }).sort().map(urlOf)
const modules = new Map<string, RouteModule>()
let key = ''

beforeAll(async () => {
  for (const file of routeFiles) {
    const module = (await import(path.join(root, file))) as RouteModule
    if (WRITES.some((method) => module[method])) modules.set(file, module)
  }
  key = (await makeOrganization()).key
})

/** Reads whatever it is given, as a careless application would. */
const careless: Application = async (request, response) => {
  const body = await buffer(request).catch(() => null)
  if (body) response.end(String(body.length))
}

const headOf = (url: string, ...headers: string[]) =>
  `POST ${url} HTTP/1.1\r\nhost: vitrine.example\r\n${headers.map((line) => `${line}\r\n`).join('')}\r\n`
const problemIn = (answer: string) => {
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  expect(head).toContain('content-type: application/problem+json')
  expect(head).toContain('connection: close')
  return JSON.parse(body) as { status: number; code: string; detail: string }
}

test.each([
  ['/v1/items', MIB],
  ['/webhooks/cards/stripe', 256 * 1024],
  ['/webhooks/mail/postmark', 512 * 1024],
  ['/api/auth/callback/email', 64 * 1024],
  ['/sandbox/cards/v1/refunds', 64 * 1024],
  ['/v1/media', 35 * MIB],
])('a body sent to %s may have %i bytes', (url, bytes) => {
  expect(maxBodyBytesOf(url)).toBe(bytes)
})

describe('the web process', () => {
  test('a body declared larger than its path allows is refused unread, on every route and page', async () => {
    const server = await startWebServer(careless, { sandbox: true })
    for (const url of [...modules.keys()].map(urlOf).concat(pages)) {
      const before = server.bytesRead()
      const answer = await sendRaw(server.port, headOf(url, `content-length: ${SENT_BYTES}`), chunks(4 * MIB))
      expect([url, problemIn(answer)]).toEqual([url, expect.objectContaining({ status: 413, code: 'body_too_large' })])
      expect(server.bytesRead() - before, url).toBeLessThan(BUFFERED_BYTES)
    }
  })

  test('a body sent in chunks is refused when it exceeds what its path allows, on every route and page', async () => {
    const server = await startWebServer(careless, { sandbox: true })
    for (const url of [...modules.keys()].map(urlOf).concat(pages)) {
      const before = server.bytesRead()
      const answer = await sendRaw(server.port, headOf(url, 'transfer-encoding: chunked'), chunks(SENT_BYTES))
      expect([url, problemIn(answer)]).toEqual([url, expect.objectContaining({ status: 413, code: 'body_too_large' })])
      expect(server.bytesRead() - before, url).toBeLessThan(maxBodyBytesOf(url) + BUFFERED_BYTES)
    }
  })

  test('a client that goes on sending after the answer is not read any further', async () => {
    for (const application of [careless, (async (_, response) => void response.writeHead(404).end()) as Application]) {
      const server = await startWebServer(application)
      const head = headOf('/v1/items', 'transfer-encoding: chunked')
      expect(await sendRaw(server.port, head, chunks(SENT_BYTES), true)).toMatch(/^HTTP\/1\.1 4(13|04) /)
      expect(server.bytesRead()).toBeLessThan(maxBodyBytesOf('/v1/items') + BUFFERED_BYTES)
    }
  })

  test('a client that sends small chunks without end gets its answer, however many come with the one that is too much', async () => {
    const atOnce: Application = async (_, response) => void response.writeHead(404, { 'content-length': 2 }).end('{}')
    for (const [application, status] of [
      [careless, '413'],
      [atOnce, '404'],
    ] as const) {
      const server = await startWebServer(application, { sandbox: true })
      for (let round = 0; round < 10; round++) {
        const head = headOf('/sandbox/cards/v1/payment_intents', 'transfer-encoding: chunked')
        const answer = await sendRaw(server.port, head, chunks(SENT_BYTES, 1024))
        expect(answer.slice(0, 12)).toBe(`HTTP/1.1 ${status}`)
      }
    }
  })

  test('a client that asks first is not told to send a body that is too large', async () => {
    const server = await startWebServer(careless)
    const refused = await sendRaw(
      server.port,
      headOf('/v1/items', 'expect: 100-continue', `content-length: ${SENT_BYTES}`),
    )
    expect(problemIn(refused)).toMatchObject({ status: 413 })
    const taken = await sendRaw(
      server.port,
      headOf('/v1/items', 'expect: 100-continue', 'connection: close', 'content-length: 2') + '{}',
    )
    expect(taken).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /)
  })

  test('bodies within the limit arrive whole, declared and in chunks', async () => {
    const server = await startWebServer(careless)
    const whole = await fetch(`${server.url}/v1/items`, { method: 'POST', body: Buffer.alloc(MIB) })
    const parts = await fetch(`${server.url}/v1/items`, {
      method: 'POST',
      body: new Blob([Buffer.alloc(MIB)]).stream(),
      duplex: 'half',
    } as RequestInit)
    expect([await whole.text(), await parts.text()]).toEqual([String(MIB), String(MIB)])
  })

  test.each([
    ['a URL over 8 KiB', `GET /v1/items?q=${'x'.repeat(9_000)} HTTP/1.1\r\nhost: a\r\n\r\n`, 414, 'url_too_long'],
    ['a URL over 16 KiB', `GET /v1/items?q=${'x'.repeat(60_000)}`, 414, 'url_too_long'],
    [
      'headers over 16 KiB',
      `GET /v1/items HTTP/1.1\r\nhost: a\r\nx-a: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
      'headers_too_large',
    ],
    ['what is no HTTP', 'HELO vitrine.example\r\n\r\n', 400, 'invalid_request'],
  ])('%s is answered with a problem', async (_, text, status, code) => {
    const server = await startWebServer(careless)
    const answer = await sendRaw(server.port, text)
    expect(problemIn(answer)).toMatchObject({ status, code })
    const lines = answer.split('\r\n\r\n')[0]!.split('\r\n').slice(1)
    const headers = new Headers(lines.map((line) => line.split(': ') as [string, string]))
    const listItems = endpoints.find(({ id }) => id === 'list-items')!
    if (text.startsWith('GET /v1/items')) expectDocumented(listItems, { status, headers, body: problemIn(answer) })
  })
})

describe('route files', () => {
  /** A body without a declared length that counts how much of it is taken. */
  const endless = () => {
    let taken = 0
    const body = new ReadableStream<Uint8Array>(
      {
        pull(stream) {
          if (taken >= SENT_BYTES) return stream.close()
          taken += 64 * 1024
          stream.enqueue(new Uint8Array(64 * 1024))
        },
      },
      { highWaterMark: 0 },
    )
    return { body, taken: () => taken }
  }

  test('none takes more of a body than its path allows, whoever asks', async () => {
    for (const [file, module] of modules)
      for (const method of WRITES)
        for (const type of [
          'application/json',
          'application/x-www-form-urlencoded',
          'multipart/form-data; boundary=b',
        ]) {
          const { body, taken } = endless()
          const url = urlOf(file)
          const request = new Request(`http://localhost${url}`, {
            method,
            body,
            headers: { 'content-type': type, authorization: `Bearer ${key}` },
            duplex: 'half',
          } as RequestInit)
          const params = Promise.resolve(
            Object.fromEntries(
              [...file.matchAll(/\[(\.\.\.)?(\w+)\]/g)].map(([, rest, name]) => [name, rest ? ['sandbox'] : 'sandbox']),
            ),
          )
          const response = await module[method]?.(request, { params })
          expect(taken(), `${method} ${url}`).toBeLessThanOrEqual(maxBodyBytesOf(url) + 64 * 1024)
          expect(response?.ok ?? false, `${method} ${url}`).toBe(false)
        }
  })
})

test('a client that breaks off gets no internal error, which would be logged each time', async () => {
  const body = new ReadableStream<Uint8Array>({
    start(stream) {
      stream.enqueue(new TextEncoder().encode('{"name":'))
      stream.error(new Error('aborted'))
    },
  })
  const request = new Request('http://localhost/v1/collections', {
    method: 'POST',
    body,
    headers: { authorization: `Bearer ${key}` },
    duplex: 'half',
  } as RequestInit)
  const response = await modules.get('app/v1/collections/route.ts')!.POST!(request, { params: Promise.resolve({}) })
  expect([response.status, await response.json()]).toEqual([400, expect.objectContaining({ code: 'invalid_request' })])
})

test('a card webhook is limited before its signature is checked', async () => {
  vi.resetModules()
  process.env.RATE_LIMIT_CARD_WEBHOOKS = '3'
  const { POST } = await import('../../app/webhooks/cards/[adapter]/route.ts')
  const answers = []
  for (let sent = 0; sent < 5; sent++)
    answers.push(
      await POST(
        new Request('http://localhost/webhooks/cards/sandbox', {
          method: 'POST',
          body: '{}',
          headers: { 'stripe-signature': 'forged', 'x-client-address': '198.51.100.9' },
        }),
        { params: Promise.resolve({ adapter: 'sandbox' }) },
      ),
    )
  delete process.env.RATE_LIMIT_CARD_WEBHOOKS
  expect(answers.slice(3).map(({ status }) => status)).toEqual([429, 429])
  expect(answers.slice(0, 3).every(({ status }) => status !== 429 && status >= 400)).toBe(true)
})

test('a picture of 100 megapixels is refused by its header, without being decoded', async () => {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, sum])
  }
  const side = Buffer.from(Uint32Array.of(10_000).buffer).reverse()
  const picture = Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', Buffer.concat([side, side, Buffer.from([8, 2, 0, 0, 1])])), // 8 bits, RGB, interlaced
    chunk('IDAT', deflateSync(Buffer.alloc(1_000))),
    chunk('IEND', Buffer.alloc(0)),
  ])
  expect(picture.length).toBeLessThan(200)
  const before = process.resourceUsage().maxRSS
  await expect(renderImage(picture, { still: false })).rejects.toMatchObject({
    code: 'image_invalid',
    status: 422,
    message: 'This image has more than 50 megapixels, all its frames counted.',
  })
  expect(process.resourceUsage().maxRSS - before).toBeLessThan(200 * 1024)
})

test('a request whose body never comes is refused with 408 at its time limit, and its connection ends', async () => {
  const server = await frontDoor(undefined, { atOnce: 1, waiting: 1, seconds: 1 })
  for (const path of ['/v1/items', '/public/v1/transfers']) {
    const headers = [`authorization: Bearer ${key}`, 'content-type: application/json', 'content-length: 20']
    const answer = await sendRaw(server.port, headOf(path, ...headers), [Buffer.from('{')])
    expect(answer).toMatch(/^HTTP\/1.1 408 /)
    expect(problemIn(answer)).toMatchObject({ code: 'request_timeout', detail: 'The request did not arrive in time.' })
  }
})
