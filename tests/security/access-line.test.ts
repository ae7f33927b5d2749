import { symbols } from 'pino'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { log } from '../../lib/core/log.ts'
import { accessLog } from '../../lib/platform/http/access-line.ts'
import { answerEndpoints } from '../../lib/platform/http/answer-endpoints.ts'
import { withFailedPage } from '../../lib/platform/http/failed-page.ts'
import { withHead } from '../../lib/platform/http/http-server.ts'
import { handlers } from '../../scripts/route-table.ts'
import { ask, next } from '../support/front-door.ts'
import { makeOrganization } from '../support/organization.ts'
import { sendRaw } from '../support/send-raw.ts'
import { until } from '../support/until.ts'
import { startWebServer } from '../support/web-server.ts'

const TOKEN = 'tSeKq-0_Zr'.repeat(5).slice(0, 43)

const printed: string[] = []
beforeAll(() => {
  const stream = (log as unknown as Record<symbol, { write: (line: string) => void }>)[symbols.streamSym]!
  vi.spyOn(stream, 'write').mockImplementation((line) => void printed.push(line))
  log.level = 'info'
})
afterAll(() => void (log.level = 'silent'))

const application = answerEndpoints(handlers, { origin: 'http://localhost', seconds: 0 }, next)

/** A web process's server with access lines, as scripts/web.ts makes it. */
async function start() {
  const access = accessLog()
  const { server, port, url } = await startWebServer(access.around(application))
  access.follow(server)
  printed.length = 0
  return { port, url }
}

type Line = Record<'requestId' | 'method' | 'path' | 'organizationId' | 'msg', string | null> &
  Record<'status' | 'milliseconds' | 'bytes', number | null>
const lines = (count: number) =>
  until(`${count} lines`, () => printed.length >= count && printed.map((line) => JSON.parse(line) as Line))

test('with access lines on, each request has one, with its id and organization and without its query', async () => {
  const mine = await makeOrganization()
  const { url } = await start()
  const headers = { authorization: `Bearer ${mine.key}` }
  const list = await ask(`${url}/v1/items?limit=1&search=somebody`, { headers })
  await ask(`${url}/nowhere`)
  const [first, second] = await lines(2)
  expect(first).toMatchObject({
    requestId: list.headers['request-id'],
    method: 'GET',
    path: '/v1/items',
    status: 200,
    milliseconds: expect.any(Number),
    organizationId: mine.id,
  })
  expect(first!.bytes).toBeGreaterThan(list.bytes.length)
  expect(second).toMatchObject({ path: '/nowhere', status: 200, organizationId: null })
  expect(printed).toHaveLength(2)
  expect(printed.join()).not.toContain('somebody')
})

test('no access line shows a token, however its path is written', async () => {
  const { port } = await start()
  const paths = [`/claim/${TOKEN}`, `/cl%61im/${TOKEN}?x=1`, `/x/../claim/${TOKEN}`, `/public/v1/email-claims/${TOKEN}`]
  const refused = [`/claim/${TOKEN}/%zz`, `//claim/${TOKEN}`, `/V1/x/../../claim/${TOKEN}`]
  for (const path of [...paths, ...refused])
    await sendRaw(port, `GET ${path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`)
  const all = await lines(paths.length + refused.length)
  expect(printed.join()).not.toContain(TOKEN)
  expect(all.find(({ path }) => path === '/claim/[redacted]')).toBeDefined()
})

test('a request that is refused unread has a line with the id of its answer', async () => {
  const { port } = await start()
  const answer = await sendRaw(port, `GET /${'x'.repeat(9000)} HTTP/1.1\r\nhost: localhost\r\n\r\n`)
  const [line] = await lines(1)
  expect(line).toMatchObject({ status: 414, requestId: /^request-id: (.*)\r$/m.exec(answer)![1] })
})

test('the page in place of one that failed shows the id of its request', async () => {
  const failing = withFailedPage(async (_, response) => {
    response.statusCode = 500
    response.setHeader('content-type', 'text/html')
    response.end('<html></html>')
  })
  const { url } = await startWebServer(withHead(failing))
  const page = await ask(`${url}/claims`, { headers: { accept: 'text/html', 'x-request-id': 'buyer-1' } })
  expect([page.status, page.headers['request-id']]).toEqual([500, 'buyer-1'])
  expect(page.body).toContain('Request-Id: buyer-1')
})

test('without access lines nothing is written about a request that succeeds', async () => {
  const { url } = await startWebServer(application)
  printed.length = 0
  await ask(`${url}/claim/${TOKEN}`)
  expect(printed).toEqual([])
})

test('an incoming id is believed only where it is short, plain and no secret; every other request gets a new one', async () => {
  const { url } = await startWebServer((request, response) => {
    response.end(`${request.headers['request-id'] as string} ${request.headers['x-request-id'] as string}`)
    return Promise.resolve()
  })
  const told = async (headers: Record<string, string>) => (await ask(url, { headers })).body.split(' ')[0]!
  expect(await told({ 'x-request-id': 'Shop.1:a_b-c' })).toBe('Shop.1:a_b-c')
  expect(await told({ 'request-id': 'one', 'x-request-id': 'two' })).toBe('one')
  const hostile = [
    '',
    'x'.repeat(101),
    '<script>',
    'a b',
    'a,b',
    '"},{"level":60',
    'a\tb',
    'ada@shop.example',
    `vt_live_abcd1234_${TOKEN}`,
    TOKEN,
    '日本',
  ]
  for (const id of hostile) {
    const encoded = Buffer.from(id).toString('latin1')
    expect(await told({ 'x-request-id': encoded }), id).toMatch(/^[\da-f]{8}-[\da-f-]{27}$/)
  }
  const answer = await ask(url, { headers: { 'x-request-id': 'one' } })
  expect(answer.body).toBe('one undefined')
})
