import { request as httpRequest } from 'node:http'
import { z } from 'zod'
import { endpoint, type Endpoint } from '../../lib/platform/api/endpoint.ts'
import { answerEndpoints, HEADERS_OF_ALL } from '../../lib/platform/http/answer-endpoints.ts'
import type { Application } from '../../lib/platform/http/http-server.ts'
import type { Handler } from '../../lib/platform/http/serve.ts'
import { turns } from '../../lib/platform/http/turns.ts'
import { handlers } from '../../scripts/route-table.ts'
import { startWebServer } from './web-server.ts'

/** Stands for Next, and says what reached it. */
export const next: Application = async (request, response) => {
  response.setHeader('x-next', '1')
  response.end(`${request.method} ${request.url}`)
}
/** A web server that answers the endpoints of a table before Next; it ends with the test. */
export const frontDoor = (
  table: readonly Handler[] = handlers,
  { seconds = 0, ...bounds } = { atOnce: 0, waiting: 0 } as Bounds,
) =>
  startWebServer(
    answerEndpoints(table, { origin: 'http://localhost', seconds }, next),
    { publicApiHost: 'api.vitrine.example', adminApiHost: 'admin.vitrine.example' },
    undefined,
    turns(bounds),
  )
type Bounds = { atOnce: number; waiting: number; seconds?: number }

export type Asked = { status: number; headers: Record<string, string>; body: string; bytes: Buffer }
/** Asks without any of fetch's own headers and decoding. */
export function ask(
  url: string,
  {
    method = 'GET',
    headers = {},
    body,
  }: { method?: string; headers?: Record<string, string>; body?: string | Buffer } = {},
): Promise<Asked> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const request = httpRequest(url, { method, headers: { ...headers, ...length }, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const bytes = Buffer.concat(chunks)
        resolve({
          status: response.statusCode!,
          headers: response.headers as Record<string, string>,
          body: bytes.toString(),
          bytes,
        })
      })
      response.on('error', reject)
    })
    request.on('error', reject)
    request.end(body)
  })
}

/** What two answers to one request may differ in: counters of limits, and how the connection frames a body. */
const PASSING = ['ratelimit', 'date', 'connection', 'keep-alive', 'transfer-encoding', 'content-length', 'vary']
const ADDED = [
  ...Object.keys(HEADERS_OF_ALL),
  'content-security-policy',
  'cross-origin-opener-policy',
  'server-time',
  'strict-transport-security',
]
/** What must be equal of the headers of both. */
export const comparable = (headers: Iterable<[string, string]>) =>
  Object.fromEntries([...headers].filter(([name]) => !PASSING.includes(name) && !ADDED.includes(name)))

/** An endpoint of this test's own, at a path of the API. */
export const own = (path: '/v1/stream' | '/v1/slow', extra: Partial<Endpoint> = {}) =>
  endpoint({
    id: path,
    method: 'GET',
    path,
    area: 'test',
    auth: 'none',
    summary: '',
    response: z.string(),
    ...extra,
  } as never) as never
