import { expect } from 'vitest'
import { handlers } from '../../scripts/route-table.ts'
import type { DirectAnswer, DirectRequest } from '../../lib/platform/http/hot/direct.ts'
import type { Handler } from '../../lib/platform/http/serve.ts'

const patterns = handlers
  .filter(({ endpoint }) => endpoint.method === 'GET')
  .map((handler) => ({
    handler,
    names: [...handler.endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!),
    regex: new RegExp(`^${handler.endpoint.path.replace(/\{\w+\}/g, '([^/]+)')}$`),
  }))
  .sort((a, b) => a.names.length - b.names.length)

function find(url: string): { handler: Handler; params: Record<string, string>; search: string } {
  const { pathname, search } = new URL(url, 'http://localhost')
  const found = patterns.find(({ regex }) => regex.test(pathname))!
  const values = found.regex.exec(pathname)!.slice(1)
  return {
    handler: found.handler,
    params: Object.fromEntries(found.names.map((name, at) => [name, decodeURIComponent(values[at]!)])),
    search,
  }
}

const REQUEST_ID = 'direct'

/** Asks a GET as the front door does, before a Request is made of it; null when the handler has to answer. */
export async function askDirectly(url: string, headers: DirectRequest['headers'] = {}): Promise<DirectAnswer | null> {
  const { handler, params, search } = find(url)
  return handler.direct!({ params, search, headers, clientAddress: '127.0.0.1', requestId: REQUEST_ID })
}

// Tests read the wire body untyped.
export const bodyOf = (answer: DirectAnswer | null): any => answer?.body && JSON.parse(answer.body.toString())

/** Asks the ordinary handler. Its answer is as `askDirectly` gives one. */
export async function askHandler(url: string, headers: Record<string, string> = {}): Promise<DirectAnswer> {
  const { handler, params } = find(url)
  const request = new Request(new URL(url, 'http://localhost'), { headers: { 'request-id': REQUEST_ID, ...headers } })
  const response = await handler(request, { params: Promise.resolve(params) })
  const body = Buffer.from(await response.arrayBuffer())
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: response.body === null ? null : body,
  }
}

/**
 * The front door's answer, which has to be the handler's. Which encoding it has depends on Accept-Encoding; the handler
 * leaves that to the front door. It is asked for three times: the body is made, made again and kept, and sent again.
 */
export async function askBothWays(url: string, headers: Record<string, string> = {}) {
  const direct = await askDirectly(url, headers)
  const others = [await askDirectly(url, headers), await askDirectly(url, headers)]
  const ordinary = await askHandler(url, headers)
  if (ordinary.status < 400) ordinary.headers.vary = 'Accept-Encoding'
  for (const answer of [direct, ...others])
    expect({ ...answer, body: answer?.body?.toString() }).toEqual({ ...ordinary, body: ordinary.body?.toString() })
  return { status: direct!.status, headers: direct!.headers, body: bodyOf(direct) }
}
