import { readFileSync } from 'node:fs'
import { get as httpGet, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import path from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import pg from 'pg'
import type { Endpoint } from '../../lib/platform/api/endpoint.ts'
import { endpoints } from '../../lib/platform/api/index.ts'
import { HEADERS_OF_ALL } from '../../lib/platform/http/answer-endpoints.ts'
import { serve } from '../../lib/platform/http/serve.ts'
import { handlers } from '../../scripts/route-table.ts'
import { env } from '../../lib/core/env.ts'
import { newId } from '../../lib/core/id.ts'
import { call } from '../support/call.ts'
import { ask, comparable, frontDoor, own } from '../support/front-door.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { makeRows } from '../support/rows.ts'
import { sendRaw } from '../support/send-raw.ts'
import { until } from '../support/until.ts'

const root = path.resolve(import.meta.dirname, '../..')

let mine: TestOrganization
let rows: Record<string, string>
/** Where listening begins. Without it each answer says how far the transactions of the server are by then. */
let after: string
beforeAll(async () => {
  mine = await makeOrganization()
  rows = await makeRows(mine)
  after = (await call('GET', '/v1/events', { key: mine.key })).body.cursor as string
})

/** A challenge has a new number each time. */
const isRandom = ({ path: template }: Endpoint) => template === '/public/v1/listings/{listing_id}/challenge'
const fill = ({ id, path: template }: Endpoint, values: (name: string) => string) =>
  template.replace(/\{(\w+)\}/g, (_, name: string) => values(name)) +
  (id === 'listen-for-events' ? `?after=${after}` : '')
describe('the table of endpoints and the route files', () => {
  // Some answers say when they were made.
  beforeAll(() => void vi.useFakeTimers({ toFake: ['Date'] }))
  afterAll(() => void vi.useRealTimers())

  const reads = endpoints.filter((each) => each.method === 'GET' && !isRandom(each))
  const key = () => ({ authorization: `Bearer ${mine.key}`, 'request-id': 'one-request', 'x-forwarded-for': '' })

  test.each(endpoints.map((each) => [`${each.method} ${each.path}`, each] as const))(
    '%s: both answer alike, to what is right and what is wrong',
    async (_, each) => {
      const server = await frontDoor()
      const isRead = each.method === 'GET'
      const known = fill(each, (name) => rows[name] ?? 'x')
      const unknown = fill(each, (name) => {
        if (name === 'claim_token') return 'x'.repeat(43)
        return name.endsWith('_id') && name !== 'network_id' ? newId() : rows[name]!
      })
      const tries: [string, string, Record<string, string>, string | undefined][] = [
        ...(isRead && !isRandom(each)
          ? [['GET', known, key(), undefined] as [string, string, Record<string, string>, undefined]]
          : []),
        [each.method, unknown, key(), isRead ? undefined : '{"no_such_field":1}'],
        [each.method, fill(each, () => 'nope'), { 'request-id': 'one-request' }, isRead ? undefined : '{"name":'],
        ['OPTIONS', known, { 'request-id': 'one-request' }, undefined],
        ['PATCH', `${known}?limit=0`, { ...key(), 'content-type': 'text/plain' }, 'x'],
      ]
      for (const [method, url, headers, body] of tries) {
        const sent = body === undefined ? headers : { 'content-type': 'application/json', ...headers }
        const before = await ask(`${server.url}${url}`, { method, headers: sent, ...(body && { body }) })
        const after = await call(method as 'GET', url, { headers: sent, ...(body && { text: body }) })
        const title = `${method} ${url}`
        expect([title, before.status]).toEqual([title, after.status])
        expect([title, comparable(Object.entries(before.headers))]).toEqual([title, comparable(after.headers)])
        // fetch takes the byte order mark of a CSV file away.
        const text = before.body.replace(/^\ufeff/, '')
        const isJson = /json/.test(after.headers.get('content-type') ?? '')
        expect([title, isJson ? JSON.parse(text) : text]).toEqual([title, after.body])
        expect(before.headers['x-next']).toBeUndefined()
      }
    },
  )

  test('HEAD gets the status and headers of GET, without a body', async () => {
    const server = await frontDoor()
    // The first use of a key is noted beside its request, and shows in the list of keys.
    await until('the use of the key', async () =>
      (await ask(`${server.url}/v1/api-keys`, { headers: key() })).body.includes('"last_used_at":"'),
    )
    for (const each of reads) {
      const url = `${server.url}${fill(each, (name) => rows[name] ?? 'x')}`
      const [full, head] = [await ask(url, { headers: key() }), await ask(url, { method: 'HEAD', headers: key() })]
      const framing = each.stream && full.status === 200 ? {} : { length: full.headers['content-length'] }
      expect([url, head.status, head.body]).toEqual([url, full.status, ''])
      expect([url, comparable(Object.entries(head.headers))]).toEqual([url, comparable(Object.entries(full.headers))])
      expect({ length: head.headers['content-length'] }).toMatchObject(framing)
    }
  })

  test.each([
    '/v1',
    '/public/v1',
    '/v1/items/a%2Fb',
    '/v1/items/%00',
    '/v1/items/x.rsc',
    '/v1/items/[item_id]',
    '/public/v1/mint-vouchers/0x%2F',
    '/public/v1/mint-vouchers/%C3%A9',
  ])('%s is answered alike by both', async (url) => {
    const server = await frontDoor()
    for (const method of ['GET', 'DELETE', 'OPTIONS'] as const) {
      const headers = { authorization: `Bearer ${mine.key}`, 'request-id': 'one-request' }
      const before = await ask(`${server.url}${url}`, { method, headers })
      const after = await call(method, url, { headers })
      expect([before.status, comparable(Object.entries(before.headers))]).toEqual([
        after.status,
        comparable(after.headers),
      ])
      expect(before.body && JSON.parse(before.body)).toEqual(after.body)
      expect(before.headers['x-next']).toBeUndefined()
    }
  })

  test('the base paths of the APIs answer with a problem', async () => {
    const server = await frontDoor()
    for (const url of ['/v1', '/public/v1']) {
      const answer = await ask(`${server.url}${url}`)
      expect([answer.status, JSON.parse(answer.body).code]).toEqual([404, 'not_found'])
      expect(answer.headers['access-control-allow-origin']).toBe('*')
    }
  })

  test('a path of an API that is written otherwise gets no list and no write, but a problem that names it', async () => {
    const server = await frontDoor()
    const headers = { authorization: `Bearer ${mine.key}` }
    for (const url of ['/v1/items/', '/v1//items', '/V1/items', '/v2/items'])
      for (const method of ['GET', 'POST']) {
        const { status, body } = await ask(`${server.url}${url}`, { method, headers })
        expect([status, JSON.parse(body).detail]).toEqual([404, 'There is no such path. Its right form is /v1/items.'])
      }
  })

  test.each(['/health/ready', '/dashboard', '/v1items', '/claim/x/', '/webhooks/cards/stripe'])(
    '%s is left to Next as it came',
    async (url) => {
      const server = await frontDoor()
      const answer = await sendRaw(server.port, `GET ${url} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`)
      expect(answer).toContain('x-next: 1')
      expect(answer.split('\r\n').join('\n')).toContain(`GET ${url}`)
    },
  )

  test('a preflight of a public path allows the headers that it asks for, and no others of an admin path', async () => {
    const server = await frontDoor()
    const asked = 'content-type, sentry-trace,x-request_id'
    const headers = {
      'request-id': 'one-request',
      'access-control-request-headers': asked,
      origin: 'https://a.example',
    }
    for (const [url, allowed] of [
      ['/public/v1/purchase-intents', asked],
      ['/v1/items', undefined],
    ] as const) {
      const before = await ask(`${server.url}${url}`, { method: 'OPTIONS', headers })
      const after = await call('OPTIONS', url, { headers })
      expect([before.status, before.headers['access-control-allow-headers']]).toEqual([204, allowed])
      expect(comparable(Object.entries(before.headers))).toEqual(comparable(after.headers))
    }
    const odd = { ...headers, 'access-control-request-headers': 'x"y' }
    const answer = await ask(`${server.url}/public/v1/items`, { method: 'OPTIONS', headers: odd })
    expect(answer.headers['access-control-allow-headers']).toContain('Idempotency-Key')
  })

  test('an unknown path below an API gets the problem that its route file gives, whatever the method', async () => {
    const server = await frontDoor()
    for (const base of ['/v1', '/public/v1'])
      for (const method of ['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS'] as const) {
        const answer = await ask(`${server.url}${base}/no/such-thing`, { method })
        expect([answer.status, answer.headers['content-type']]).toEqual([404, 'application/problem+json'])
      }
  })

  test('a host of an API serves that API alone', async () => {
    const server = await frontDoor()
    const at = (host: string, url: string) => ask(`${server.url}${url}`, { headers: { host } })
    const publicItem = await at('api.vitrine.example', '/v1/networks')
    expect([publicItem.status, publicItem.headers['access-control-allow-origin']]).toEqual([200, '*'])
    expect((await at('admin.vitrine.example', '/v1/items')).status).toBe(401)
    expect((await at('admin.vitrine.example', '/public/v1/networks')).status).toBe(404)
  })

  test('every answer has the headers that next.config.mjs gives', async () => {
    const config = readFileSync(path.join(root, 'next.config.mjs'), 'utf8')
    const all = config.slice(config.indexOf("source: '/:path*'"), config.indexOf('...PAGES_WITH_FORMS'))
    const given = [...all.matchAll(/key: '([^']+)', value: '([^']+)'/g)].map(([, name, value]) => [
      name!.toLowerCase(),
      value,
    ])
    expect(Object.fromEntries(given)).toEqual(HEADERS_OF_ALL)
    const server = await frontDoor()
    expect((await ask(`${server.url}/public/v1/networks`)).headers).toMatchObject(HEADERS_OF_ALL)
  })

  test('a body that nobody reads leaves the connection usable', async () => {
    const server = await frontDoor()
    const body = `{"name":"${'x'.repeat(500_000)}"}`
    const head = `POST /v1/items HTTP/1.1\r\nhost: a\r\ncontent-length: ${body.length}\r\n\r\n${body}`
    const second = 'GET /public/v1/networks HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n'
    const answer = await sendRaw(server.port, head + second)
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401', 'HTTP/1.1 200'])
  })
})

describe('encodings', () => {
  const url = '/v1/items?limit=100'
  const key = () => ({ authorization: `Bearer ${mine.key}` })
  beforeAll(async () => {
    const items = Array.from({ length: 20 }, (_, at) => ({
      id: newId(),
      organizationId: mine.id,
      collectionId: rows.collection_id!,
      attributes: { title: `Item ${at}` },
    }))
    await mine.ctx.db.item.createMany({ data: items })
  })

  test('each encoding has a tag of its own, all say Vary, and If-None-Match takes what the client has', async () => {
    const server = await frontDoor()
    const asked = (accept: string, tag = '') =>
      ask(`${server.url}${url}`, {
        headers: { ...key(), 'accept-encoding': accept, ...(tag && { 'if-none-match': tag }) },
      })
    const plain = await asked('identity')
    const br = await asked('gzip, br')
    const zip = await asked('gzip;q=1, br;q=0.5')
    expect([plain, br, zip].map(({ headers }) => headers['content-encoding'])).toEqual([undefined, 'br', 'gzip'])
    expect([plain, br, zip].map(({ headers }) => headers.vary)).toEqual(Array(3).fill('Accept-Encoding'))
    expect(new Set([plain, br, zip].map(({ headers }) => headers.etag)).size).toBe(3)
    expect(brotliDecompressSync(br.bytes).toString()).toBe(plain.body)
    expect(gunzipSync(zip.bytes).toString()).toBe(plain.body)
    expect(br.bytes.length).toBeLessThan(plain.bytes.length / 3)
    for (const { headers } of [plain, br, zip]) {
      const again = await asked('gzip, br', headers.etag)
      expect([again.status, again.headers.etag, again.headers.vary]).toEqual([304, headers.etag, 'Accept-Encoding'])
    }
    expect((await asked('identity', br.headers.etag)).status).toBe(200) // it can't read what that tag names
  })

  test('what a secret opens, and answers of writes, are never encoded', async () => {
    const server = await frontDoor()
    const headers = { ...key(), 'accept-encoding': 'br, gzip', 'content-type': 'application/json' }
    const view = await ask(`${server.url}/public/v1/email-claims/${rows.claim_token}`, { headers })
    const made = await ask(`${server.url}/v1/collections`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ name: newId(), description: 'x'.repeat(4000) }),
    })
    expect([view.status, made.status]).toEqual([200, 201])
    for (const answer of [view, made]) expect(answer.headers['content-encoding']).toBeUndefined()
  })

  test('an export is encoded as it streams', async () => {
    const server = await frontDoor()
    const asked = (accept: string) =>
      ask(`${server.url}/v1/exports/items.csv`, { headers: { ...key(), 'accept-encoding': accept } })
    const [plain, br] = [await asked('identity'), await asked('br')]
    expect(br.headers['content-encoding']).toBe('br')
    expect(brotliDecompressSync(br.bytes).toString()).toBe(plain.body)
  })
})

describe('streams', () => {
  test('a piece is sent only when the client takes it, and a client that leaves ends the source', async () => {
    let given = 0
    const ended = Promise.withResolvers<void>()
    async function* pieces() {
      try {
        for (;;) {
          given++
          yield 'x'.repeat(64 * 1024)
        }
      } finally {
        ended.resolve()
      }
    }
    const stream = serve(own('/v1/stream', { stream: true, contentType: 'text/csv' }), async () => pieces() as never)
    const server = await frontDoor([stream])
    const response = await new Promise<IncomingMessage>((resolve) => httpGet(`${server.url}/v1/stream`, resolve))
    await new Promise((resolve) => response.once('readable', resolve))
    response.destroy()
    await ended.promise
    expect(given).toBeLessThan(1000) // 64 MB: what the system's buffers hold, and no more
  })

  test('HEAD of a stream ends its source', async () => {
    let isOpen = false
    async function* pieces() {
      isOpen = true
      try {
        yield 'a'
        yield 'b'
      } finally {
        isOpen = false
      }
    }
    const stream = serve(own('/v1/stream', { stream: true, contentType: 'text/csv' }), async () => pieces() as never)
    const server = await frontDoor([stream])
    expect((await ask(`${server.url}/v1/stream`, { method: 'HEAD' })).status).toBe(200)
    expect(isOpen).toBe(false)
  })

  test('a stream whose source fails breaks off, so that no part passes for the whole', async () => {
    async function* pieces() {
      yield 'a'
      yield 'b'
      throw new Error('lost')
    }
    const stream = serve(own('/v1/stream', { stream: true, contentType: 'text/csv' }), async () => pieces() as never)
    const server = await frontDoor([stream])
    await expect(ask(`${server.url}/v1/stream`)).rejects.toThrow()
  })
})

describe('overload', () => {
  test('while a table is locked, 500 clients get 503 beyond what may wait, health answers, and all is well once it is free', async () => {
    const server = await frontDoor(handlers, { atOnce: 4, waiting: 8 })
    const url = `${server.url}/public/v1/items/${rows.item_id}`
    const owner = new pg.Client({ connectionString: env.MIGRATE_DATABASE_URL })
    await owner.connect()
    await owner.query('BEGIN; LOCK TABLE items IN ACCESS EXCLUSIVE MODE')
    const statuses: number[] = []
    const shed = Promise.withResolvers<void>()
    const asked = Array.from({ length: 500 }, async () => {
      const answer = await ask(url)
      statuses.push(answer.status)
      if (statuses.length === 488) shed.resolve()
      return answer
    })
    await shed.promise
    expect(new Set(statuses)).toEqual(new Set([503]))
    expect((await ask(`${server.url}/health/live`)).body).toBe('GET /health/live')
    await owner.query('COMMIT')
    await owner.end()
    const answers = await Promise.all(asked)
    const refused = answers.filter(({ status }) => status === 503)
    expect(refused).toHaveLength(488)
    expect(JSON.parse(refused[0]!.body)).toMatchObject({ code: 'overloaded', status: 503 })
    expect(refused[0]!.headers['retry-after']).toBe('2')
    expect((await ask(url)).status).toBe(answers.find(({ status }) => status !== 503)!.status)
  })

  test('a request that takes too long is answered, and keeps its turn until its work has ended', async () => {
    const work = Promise.withResolvers<string>()
    let signal: AbortSignal | undefined
    const slow = serve(own('/v1/slow'), async (ctx) => {
      signal = ctx.signal
      return work.promise as never
    })
    const server = await frontDoor([slow], { atOnce: 1, waiting: 0, seconds: 0.05 })
    const late = await ask(`${server.url}/v1/slow`)
    expect([late.status, JSON.parse(late.body).code]).toEqual([503, 'unavailable'])
    expect(signal!.aborted).toBe(true)
    expect(JSON.parse((await ask(`${server.url}/v1/slow`)).body).code).toBe('overloaded')
    work.resolve('done')
    await expect.poll(async () => (await ask(`${server.url}/v1/slow`)).status).toBe(200)
  })

  test('a client that leaves while it waits for its turn takes none', async () => {
    const [begun, work] = [Promise.withResolvers<void>(), Promise.withResolvers<string>()]
    const slow = serve(own('/v1/slow'), async () => {
      begun.resolve()
      return work.promise as never
    })
    const server = await frontDoor([slow], { atOnce: 1, waiting: 1 })
    const url = `${server.url}/v1/slow`
    const first = ask(url)
    await begun.promise
    const leaving = httpGet(url, { agent: false })
    leaving.on('error', () => undefined)
    await expect.poll(() => server.bytesRead()).toBeGreaterThan(100) // both requests have arrived
    leaving.destroy()
    await expect.poll(() => server.openConnections()).toBe(1)
    work.resolve('done')
    expect((await first).status).toBe(200)
    expect((await ask(url)).status).toBe(200)
  })

  test('clients that don’t send their bodies keep no turn from others', async () => {
    const server = await frontDoor(handlers, { atOnce: 2, waiting: 0 })
    const read = async () => (await ask(`${server.url}/public/v1/networks`)).status
    const head = `POST /v1/items HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${mine.key}\r\ncontent-type: application/json`
    const stalled = ['content-length: 10', 'transfer-encoding: chunked'].map((framing) => {
      const socket = connect(server.port, '127.0.0.1')
      socket.write(`${head}\r\n${framing}\r\n\r\n${framing.endsWith('chunked') ? '1\r\n{' : '{'}`)
      return socket
    })
    await expect.poll(read).toBe(503)
    await expect.poll(read, { timeout: 5_000 }).toBe(200)
    for (const socket of stalled) socket.destroy()
  })

  test('nothing more is begun in the database for a request that nobody waits for', async () => {
    const slow = Promise.withResolvers<void>()
    const outcome = Promise.withResolvers<unknown>()
    const handler = serve({ ...(own('/v1/slow') as Endpoint), auth: 'anonymous' } as never, async (ctx) => {
      slow.resolve()
      await new Promise((resolve) => ctx.signal!.addEventListener('abort', resolve))
      ctx.db.item.count({}).then(outcome.resolve, outcome.resolve)
      return 'done' as never
    })
    const server = await frontDoor([handler])
    const request = httpGet(`${server.url}/v1/slow`)
    request.on('error', () => undefined)
    await slow.promise
    request.destroy()
    expect(await outcome.promise).toMatchObject({ message: 'The client broke off.' })
  })
})
