// The web process: our own HTTP server in front of Next's request handler.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import path from 'node:path'

const development = process.argv.includes('--dev')
Object.assign(process.env, { NODE_ENV: development ? 'development' : 'production', NEXT_TELEMETRY_DISABLED: '1' })

const { default: next } = await import('next')
const { env } = await import('../lib/core/env.ts')
const { admit, STRIPPED_REQUEST_HEADERS } = await import('../lib/platform/http/front-server.ts')
const { framersOf } = await import('../lib/platform/http/framers.ts')
const { parseTrustedProxies } = await import('../lib/platform/http/trusted-proxies.ts')
const { stopOnSignal } = await import('./launcher/stop-on-signal.ts')

const STOP_PATIENCE_MS = 8_000

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
const door = {
  origin: env.ORIGIN,
  publicApiHost: env.PUBLIC_API_HOST,
  adminApiHost: env.ADMIN_API_HOST,
  trustedProxies: parseTrustedProxies(env.TRUSTED_PROXIES),
  sandbox: env.VITRINE_SANDBOX,
  stripe: env.STRIPE_SECRET_KEY !== '',
  development,
}

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const arrival = {
    method: request.method ?? 'GET',
    url: request.url ?? '/',
    headers: request.headers,
    socketAddress: request.socket.remoteAddress,
  }
  const admission = admit(door, arrival, await framersOf(arrival.url))
  if (admission.kind === 'answer') return send(admission.response, response)
  for (const name of STRIPPED_REQUEST_HEADERS) delete request.headers[name]
  Object.assign(request.headers, admission.headers)
  request.url = admission.url
  for (const [name, value] of Object.entries(admission.responseHeaders)) response.setHeader(name, value)
  await handle(request, response)
}

async function send(answer: Response, response: ServerResponse): Promise<void> {
  response.writeHead(answer.status, Object.fromEntries(answer.headers))
  response.end(Buffer.from(await answer.arrayBuffer()))
}

server.on('request', (request, response) => {
  receive(request, response).catch((error: unknown) => {
    console.error(error)
    if (!response.headersSent) response.writeHead(500)
    response.end()
  })
})
server.keepAliveTimeout = 65_000 // longer than load balancers keep theirs, so that they close first
server.listen(env.PORT, env.HOST, () => console.log(`Vitrine listens on ${env.HOST}:${env.PORT} as ${env.ORIGIN}`))

stopOnSignal(async () => {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  const insist = setTimeout(() => server.closeAllConnections(), STOP_PATIENCE_MS)
  await closed
  clearTimeout(insist)
})
