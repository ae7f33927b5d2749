// The web process: our own HTTP server in front of Next's request handler.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import path from 'node:path'

const development = process.argv.includes('--dev')
Object.assign(process.env, { NODE_ENV: development ? 'development' : 'production', NEXT_TELEMETRY_DISABLED: '1' })

const { default: next } = await import('next')
const { env } = await import('../lib/core/env.ts')
const { admit, STRIPPED_REQUEST_HEADERS } = await import('../lib/platform/http/front-server.ts')
const { frameAncestors } = await import('../lib/platform/http/frame-ancestors.ts')
const { parseTrustedProxies } = await import('../lib/platform/http/trusted-proxies.ts')
const { systemScope } = await import('../lib/db/scope.ts')
const { findEmbedOrigins } = await import('../lib/selling/purchases/find-embed-origins.ts')
const { watchWorkers } = await import('../lib/worker/watch-workers.ts')
const { stopOnSignal } = await import('./launcher/stop-on-signal.ts')

/** How long open requests may take after a stop signal. */
const STOP_TIMEOUT_MS = 8_000

process.env.NEXTAUTH_URL ??= env.ORIGIN
const server = createServer()
const app = next({
  dev: development,
  dir: path.resolve(import.meta.dirname, '..'),
  hostname: env.HOST,
  port: env.PORT,
  httpServer: server,
})
await app.prepare()
const handle = app.getRequestHandler()
const settings = {
  origin: env.ORIGIN,
  publicApiHost: env.PUBLIC_API_HOST,
  adminApiHost: env.ADMIN_API_HOST,
  trustedProxies: parseTrustedProxies(env.TRUSTED_PROXIES),
  sandbox: env.VITRINE_SANDBOX,
  stripe: env.STRIPE_SECRET_KEY !== '',
  development,
}
const frameAncestorsOf = frameAncestors((page) => findEmbedOrigins(systemScope(), page))

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const incoming = {
    method: request.method ?? 'GET',
    url: request.url ?? '/',
    headers: request.headers,
    socketAddress: request.socket.remoteAddress,
  }
  const admission = admit(settings, incoming, await frameAncestorsOf(incoming.url))
  if (admission.kind === 'answer') return send(admission.response, response)
  for (const name of STRIPPED_REQUEST_HEADERS) delete request.headers[name]
  Object.assign(request.headers, admission.headers)
  request.url = admission.url
  for (const [name, value] of Object.entries(admission.responseHeaders)) response.setHeader(name, value)
  await handle(request, response)
}

async function send(from: Response, to: ServerResponse): Promise<void> {
  to.writeHead(from.status, Object.fromEntries(from.headers))
  to.end(Buffer.from(await from.arrayBuffer()))
}

server.on('request', (request, response) => {
  receive(request, response).catch((error: unknown) => {
    console.error(error)
    if (!response.headersSent) response.writeHead(500)
    response.end()
  })
})
server.keepAliveTimeout = 65_000 // longer than load balancers keep idle connections, so that they close first
server.listen(env.PORT, env.HOST, () => console.log(`Vitrine listens on ${env.HOST}:${env.PORT} as ${env.ORIGIN}`))

const ending = new AbortController()
const watching = watchWorkers(ending.signal)

stopOnSignal(async () => {
  ending.abort()
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  const force = setTimeout(() => server.closeAllConnections(), STOP_TIMEOUT_MS)
  await closed
  clearTimeout(force)
  await watching
})
