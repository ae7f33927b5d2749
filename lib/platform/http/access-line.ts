import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { log } from '../../core/log.ts'
import { pathOf } from './front-server.ts'
import type { Application } from './http-server.ts'
import { type OpenRequest, openRequests } from './open-requests.ts'
import { REQUEST_ID_HEADER } from './request-id.ts'

const open = new WeakMap<IncomingMessage, OpenRequest>()

/** Logs a line for each request of a server, once its answer has gone out or its connection has ended. Secrets are redacted as in every line. */
export function logAccess(server: Server): void {
  for (const event of ['request', 'checkContinue']) server.prependListener(event, logOnceClosed)
}

/** An application that tells the access line whose request it was. */
export const withAccess =
  (application: Application): Application =>
  (request, ...rest) =>
    openRequests.run(open.get(request) ?? { organizationId: null }, () => application(request, ...rest))

function logOnceClosed(request: IncomingMessage, response: ServerResponse): void {
  const begunMs = performance.now()
  const { socket, method, headers } = request
  const known: OpenRequest = { organizationId: null }
  open.set(request, known)
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
      response.writableFinished || isAnswered ? 'A request was answered.' : 'A request was broken off.',
    )
  })
}
