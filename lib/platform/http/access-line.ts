import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { log } from '../../core/log.ts'
import { pathOf } from './front-server.ts'
import type { Application } from './http-server.ts'
import { type OpenRequest, openRequests } from './open-requests.ts'
import { REQUEST_ID_HEADER } from './request-id.ts'

/**
 * Logs a line for each request, once its answer has gone out or its connection has ended. Secrets are redacted as in
 * every line. `around`: an application that says whose request it is. `follow`: the server in front of it.
 */
export function accessLog() {
  const open = new WeakMap<IncomingMessage, OpenRequest>()
  const begin = (request: IncomingMessage, response: ServerResponse) => {
    const known: OpenRequest = { organizationId: null }
    open.set(request, known)
    logOnceClosed(request, response, known)
  }
  return {
    around:
      (application: Application): Application =>
      (request, ...rest) =>
        openRequests.run(open.get(request)!, () => application(request, ...rest)),
    follow(server: Server): void {
      for (const event of ['request', 'checkContinue']) server.prependListener(event, begin)
    },
  }
}

function logOnceClosed(request: IncomingMessage, response: ServerResponse, known: OpenRequest): void {
  const begunMs = performance.now()
  const { socket, method, headers } = request
  // Answers of one connection go out one after the other.
  let before = socket.bytesWritten
  if (!response.socket) response.once('socket', () => (before = socket.bytesWritten))
  response.once('close', () => {
    // One that was refused unread has a status and no head of its own.
    const isAnswered = response.headersSent || response.statusCode !== 200
    log.info(
      {
        requestId: headers[REQUEST_ID_HEADER],
        method,
        path: pathOf(request.url ?? '/')?.split('?', 1)[0] ?? null,
        status: isAnswered ? response.statusCode : null,
        milliseconds: Math.round(performance.now() - begunMs),
        bytes: socket.bytesWritten - before,
        organizationId: known.organizationId,
      },
      isAnswered ? 'A request was answered.' : 'A request was broken off.',
    )
  })
}
