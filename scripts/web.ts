// The web process: our own HTTP server in front of Next's request handler.
import path from 'node:path'
import { setFlagsFromString } from 'node:v8'
import type { Application } from '../lib/platform/http/http-server.ts'

const root = path.resolve(import.meta.dirname, '..')
const development = process.argv.includes('--dev')
Object.assign(process.env, { NODE_ENV: development ? 'development' : 'production', NEXT_TELEMETRY_DISABLED: '1' })

const { default: next } = await import('next')
const { env } = await import('../lib/core/env.ts')
const { redactOutput } = await import('../lib/core/redact.ts')
redactOutput()
const { assertStartable } = await import('../lib/ports/start-problems.ts')
assertStartable(env)
// V8 alone lets the heap grow to a multiple of what is in use, up to its limit of some gigabytes.
if (env.HEAP_GROWTH_PERCENT > 0) setFlagsFromString(`--heap-growing-percent=${env.HEAP_GROWTH_PERCENT}`)
const { AppError } = await import('../lib/core/errors.ts')
AppError.tracesRefusals = development
const { frameAncestors } = await import('../lib/platform/http/frame-ancestors.ts')
const { builtFiles } = await import('../lib/platform/http/built-files.ts')
const { accessLog } = await import('../lib/platform/http/access-line.ts')
const { answerEndpoints } = await import('../lib/platform/http/answer-endpoints.ts')
const { withFailedPage } = await import('../lib/platform/http/failed-page.ts')
const { httpServer, withHead } = await import('../lib/platform/http/http-server.ts')
const { maintenanceRefusal } = await import('../lib/platform/http/maintenance.ts')
const { withReadableForms } = await import('../lib/platform/http/page-forms.ts')
const { endWithHead, turns } = await import('../lib/platform/http/turns.ts')
const { releaseManifestContexts } = await import('../lib/platform/http/page-manifests.ts')
const { parseTrustedProxies } = await import('../lib/platform/http/trusted-proxies.ts')
const { newId } = await import('../lib/core/id.ts')
const { tellOfWork } = await import('../lib/db/work-channel.ts')
const { assertNoExcessRights } = await import('../lib/db/excess-rights.ts')
const { limitStatements } = await import('../lib/db/client.ts')
const { measureClock } = await import('../lib/db/measure-clock.ts')
const { systemScope } = await import('../lib/db/scope.ts')
const { endLongPollsAt } = await import('../lib/platform/http/long-poll.ts')
const { systemContext } = await import('../lib/platform/auth/authenticate.ts')
const { readSandboxClock } = await import('../lib/records/sandbox-clock/read-sandbox-clock.ts')
const { findEmbedOrigins } = await import('../lib/selling/purchases/find-embed-origins.ts')
const { followClock } = await import('../lib/worker/follow-clock.ts')
const { followSandboxClock } = await import('../lib/worker/follow-sandbox-clock.ts')
const { watchWorkers } = await import('../lib/worker/watch-workers.ts')
const { offerSetup } = await import('../lib/worker/offer-setup.ts')
const { stopOnSignal } = await import('./launcher/stop-on-signal.ts')

/** How long open requests may take after a stop signal. */
const STOP_TIMEOUT_MS = 8_000

process.env.NEXTAUTH_URL ??= env.ORIGIN
limitStatements(env.REQUEST_SECONDS * 1000)
const settings = {
  origin: env.ORIGIN,
  claimOrigin: env.CLAIM_ORIGIN === env.ORIGIN ? '' : env.CLAIM_ORIGIN,
  publicApiHost: env.PUBLIC_API_HOST,
  adminApiHost: env.ADMIN_API_HOST,
  trustedProxies: parseTrustedProxies(env.TRUSTED_PROXIES),
  sandbox: env.VITRINE_SANDBOX,
  stripe: env.STRIPE_SECRET_KEY !== '',
  development,
}
const pages: Application = withReadableForms((request, response, turn) => {
  endWithHead(response, turn)
  return handle(request, response)
})
// While it is developed, Next answers everything, since it reloads what is edited.
const application = development
  ? withHead(pages)
  : builtFiles(
      path.join(root, '.next/static'),
      answerEndpoints(
        (await import('./route-table.ts')).handlers,
        { origin: env.ORIGIN, seconds: env.REQUEST_SECONDS },
        withFailedPage(pages),
      ),
    )
const access = env.ACCESS_LOG ? accessLog() : null
const server = httpServer(
  settings,
  // The documentation of a sandbox tries the elements of embed.js.
  frameAncestors(async (page) => [
    ...(await findEmbedOrigins(systemScope(), page)),
    ...(env.VITRINE_SANDBOX ? [env.ORIGIN] : []),
  ]),
  access?.around(application) ?? application,
  maintenanceRefusal,
  turns({ atOnce: env.REQUESTS_AT_ONCE, waiting: env.REQUESTS_WAITING }),
)
access?.follow(server)
await assertNoExcessRights()
await measureClock()
if (env.VITRINE_SANDBOX) await readSandboxClock(systemContext('sandbox clock'))
releaseManifestContexts()
const app = next({
  dev: development,
  dir: root,
  hostname: env.HOST,
  port: env.PORT,
  httpServer: server,
})
await app.prepare()
const handle = app.getRequestHandler()
server.listen(env.PORT, env.HOST, () => console.log(`Vitrine listens on ${env.HOST}:${env.PORT} as ${env.ORIGIN}`))

const ending = new AbortController()
endLongPollsAt(ending.signal)
tellOfWork(newId(), ending.signal)
const watching = [watchWorkers(ending.signal), followClock(ending.signal)]
const following = env.VITRINE_SANDBOX ? followSandboxClock(ending.signal, { movesChains: false }) : null
// The sandbox makes an organization of its own.
if (!env.VITRINE_SANDBOX) void offerSetup(ending.signal, (lines) => console.log(lines))

stopOnSignal(async () => {
  ending.abort()
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  const force = setTimeout(() => server.closeAllConnections(), STOP_TIMEOUT_MS)
  await closed
  clearTimeout(force)
  await Promise.all([...watching, following])
})
