import type { Method } from '../api/endpoint.ts'
import { AppError, notFound } from '../../core/errors.ts'
import { CORS, preflight } from './cors.ts'
import { problem } from './problem.ts'
import { type Handler, isPublic, requestIdOf, type RouteContext, withHeaders } from './serve.ts'

type RouteHandler = (request: Request, route: RouteContext) => Promise<Response>
const METHODS: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
export type Route = Record<Method | 'OPTIONS', RouteHandler>

/**
 * All methods of one path: its handlers among these, 405 with `Allow` for the others, and the CORS preflight on public
 * paths.
 */
export function routeAt(handlers: readonly Handler[] | Readonly<Record<string, Handler>>, path: string): Route {
  const own = Object.values(handlers).filter((handler) => handler.endpoint.path === path)
  const served = Object.fromEntries(own.map((handler) => [handler.endpoint.method, handler]))
  const allow = [...METHODS.filter((method) => method in served), 'OPTIONS'].join(', ')
  const open = own.some((handler) => isPublic(handler.endpoint))
  const refuse: RouteHandler = async (request) => {
    const requestId = requestIdOf(request)
    const failure = new AppError('method_not_allowed', `This path takes ${allow}.`)
    return withHeaders(problem(failure, requestId), { allow, 'request-id': requestId, ...(open && CORS) })
  }
  const OPTIONS: RouteHandler = async (request) =>
    new Response(null, {
      status: 204,
      headers: {
        allow,
        'request-id': requestIdOf(request),
        ...(open && preflight(request.headers.get('access-control-request-headers'))),
      },
    })
  return { GET: refuse, POST: refuse, PUT: refuse, PATCH: refuse, DELETE: refuse, ...served, OPTIONS }
}

/** Any other path below the API's base paths: not_found, whatever the method. */
const unknown: RouteHandler = async (request) => {
  const requestId = requestIdOf(request)
  return withHeaders(problem(notFound(), requestId), { 'request-id': requestId, ...CORS })
}
export const unknownPath: Route = {
  GET: unknown,
  POST: unknown,
  PUT: unknown,
  PATCH: unknown,
  DELETE: unknown,
  OPTIONS: unknown,
}
