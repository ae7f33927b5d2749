import fs from 'node:fs'
import path from 'node:path'
import { log } from '../../lib/core/log.ts'
import { endpoints } from '../../lib/platform/api/index.ts'
import type { Method } from '../../lib/platform/api/endpoint.ts'
import type { Handler } from '../../lib/platform/http/serve.ts'
import { expectAuditEntry } from './audit-entries.ts'
import { expectDocumented } from './recorded-answers.ts'

const root = path.resolve(import.meta.dirname, '../..')

export type ApiResponse = { status: number; headers: Headers; body: any } // tests read the wire body untyped
export type CallOptions = {
  key?: string | undefined
  body?: unknown
  /** In place of `body`. */
  text?: string | Buffer<ArrayBuffer>
  headers?: Record<string, string>
}

/** The route file of an endpoint's path. */
const routeFileOf = (endpointPath: string): string =>
  path.join(root, 'app', endpointPath.replace(/\{(\w+)\}/g, '[$1]'), 'route.ts')

/** Paths with fixed segments match before those with parameters, as in Next. */
const patterns = [...new Set(endpoints.map((endpoint) => endpoint.path))]
  .map((template) => ({
    template,
    names: [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!),
    regex: new RegExp(`^${template.replace(/\{\w+\}/g, '([^/]+)')}$`),
  }))
  .sort((a, b) => a.names.length - b.names.length)

/** Why requests of this process failed, by request id: the answer of an internal error doesn't say it. */
const causes = new Map<string, unknown>()
const { error: write } = log
log.error = (...entry: Parameters<typeof write>) => {
  const { requestId, cause } = entry[0] as { requestId?: string; cause?: unknown }
  if (requestId) causes.set(requestId, cause)
  write.apply(log, entry)
}

/**
 * Calls an endpoint through its route file in this process, as a client would over HTTP. Throws for an internal error.
 */
export async function call(
  method: Method | 'OPTIONS',
  url: string,
  { key, body, text, headers = {} }: CallOptions = {},
): Promise<ApiResponse> {
  const { pathname } = new URL(url, 'http://localhost')
  const found = patterns.find(({ regex }) => regex.test(pathname))
  const file = found
    ? routeFileOf(found.template)
    : path.join(root, 'app', pathname.startsWith('/public/') ? 'public/v1' : 'v1', '[[...path]]', 'route.ts')
  if (!fs.existsSync(file)) throw new Error(`${pathname} has no route file.`)
  const values = found?.regex.exec(pathname)?.slice(1).map(decodeURIComponent) ?? []
  const params = Object.fromEntries((found?.names ?? []).map((name, at) => [name, values[at]!]))
  const module = (await import(file)) as Record<
    string,
    (request: Request, route: { params: Promise<Record<string, string>> }) => Promise<Response>
  >
  const content = text ?? (body === undefined ? undefined : JSON.stringify(body))
  const request = new Request(new URL(url, 'http://localhost'), {
    method,
    headers: {
      ...(content !== undefined && { 'content-type': 'application/json' }),
      ...(key && { authorization: `Bearer ${key}` }),
      ...headers,
    },
    ...(content !== undefined && { body: content }),
  })
  const handler = module[method]!
  const response = await handler(request, { params: Promise.resolve(params) })
  if ('endpoint' in handler) await expectAuditEntry((handler as Handler).endpoint, response)
  const raw = await response.text()
  const json = /json/.test(response.headers.get('content-type') ?? '')
  const answer = { status: response.status, headers: response.headers, body: raw && json ? JSON.parse(raw) : raw }
  if (answer.status === 500)
    throw new Error(`${method} ${pathname} failed: ${raw}`, { cause: causes.get(response.headers.get('request-id')!) })
  if ('endpoint' in handler) expectDocumented((handler as Handler).endpoint, answer)
  return answer
}

/** A client that sends this key, or none: `api.post('/v1/items', {...})`. */
export const callerOf = (key?: string) => ({
  get: (url: string, headers?: Record<string, string>) => call('GET', url, { key, ...(headers && { headers }) }),
  post: (url: string, body: unknown = {}, headers?: Record<string, string>) =>
    call('POST', url, { key, body, ...(headers && { headers }) }),
  patch: (url: string, body: unknown) => call('PATCH', url, { key, body }),
  delete: (url: string) => call('DELETE', url, { key }),
})

/** An answer's status, and the code of its problem. */
export const code = ({ status, body }: ApiResponse) => [status, body.code]
/** The ids of a list's rows, and the fields that a problem names. */
export const idsOf = ({ body }: ApiResponse): string[] => body.results.map(({ id }: { id: string }) => id)
export const fieldsOf = ({ body }: ApiResponse): string[] => body.errors.map(({ field }: { field: string }) => field)
