import { execFile } from 'node:child_process'
import path from 'node:path'
import { beforeAll, expect, test, vi } from 'vitest'

const postgres = await vi.hoisted(async () => {
  const { startOwnPostgres } = await import('../support/own-postgres.ts')
  const own = await startOwnPostgres()
  const { startPgBouncer } = await import('../support/pgbouncer.ts')
  process.env.DATABASE_URL = await startPgBouncer('query_wait_timeout = 1\nserver_login_retry = 1')
  vi.resetModules() // what was loaded so far knows PostgreSQL's own address
  return own
})

import { Prisma } from '../../generated/prisma/client.ts'
import { newId } from '../../lib/core/id.ts'
import { connectionsOf, leasePool, publicClient, rateLimitPool, systemClient } from '../../lib/db/client.ts'
import { isDatabaseDown } from '../../lib/db/errors.ts'
import { systemScope } from '../../lib/db/scope.ts'
import { answerEndpoints } from '../../lib/platform/http/answer-endpoints.ts'
import { withFailedPage } from '../../lib/platform/http/failed-page.ts'
import type { Application } from '../../lib/platform/http/http-server.ts'
import { maintenanceRefusal } from '../../lib/platform/http/maintenance.ts'
import { asAppError } from '../../lib/platform/http/problem.ts'
import { handlers } from '../../scripts/route-table.ts'
import { freePort } from '../../scripts/launcher/ports.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { until } from '../support/until.ts'
import { startWebServer } from '../support/web-server.ts'
import { spawnWorker } from '../support/worker.ts'

// PgBouncer may have to be installed, and a process starts slowly on a busy machine.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

/** Answers a page as Next does when it fails: a body that only scripts fill. */
const failingPages: Application = async (_, response) => {
  response.statusCode = 500
  response.setHeader('content-type', 'text/html; charset=utf-8')
  response.flushHeaders()
  response.write('<!DOCTYPE html><html id="__next_error__"><body></body></html>')
  response.end()
}

const ways: Record<string, () => Promise<unknown>> = {
  'a read by Prisma': () => systemClient().maintenance.findUnique({ where: { id: 1 } }),
  'a read of what is published': () => publicClient().listing.findMany({ take: 1 }),
  'a write by Prisma': () => systemClient().maintenance.deleteMany({}),
  'a raw statement': () => systemClient().$queryRaw`SELECT 1`,
  'a scope’s statement': () => systemScope().sql(Prisma.sql`SELECT 1`),
  'a transaction': () => systemClient().$transaction((tx) => tx.maintenance.findMany()),
  'a statement of the pool': () => connectionsOf('vitrine_system').query('SELECT 1'),
  'a lease': () => leasePool().query('SELECT 1'),
  'a rate limit': () => rateLimitPool().query('SELECT 1'),
}

let organization: TestOrganization
let url: string
beforeAll(async () => {
  organization = await makeOrganization()
})

const get = (address: string, headers: Record<string, string>) => fetch(`${url}${address}`, { headers })

/** A worker's output from here on. */
async function startWorker(): Promise<string[]> {
  const lines: string[] = []
  const env = { LOG_LEVEL: 'info', ORIGIN: `http://localhost:${await freePort()}` }
  spawnWorker({ env: {} }, { lines, env })
  await until('The worker', () => lines.some((line) => line.includes('The worker runs.')))
  return lines
}

test('while PostgreSQL is away behind PgBouncer, every way in says that the database doesn’t answer', async () => {
  const answering = answerEndpoints(handlers, { origin: 'http://localhost', seconds: 30 }, withFailedPage(failingPages))
  url = (await startWebServer(answering, {}, maintenanceRefusal)).url
  for (const ask of Object.values(ways)) await ask()
  const broken = await get('/c/1', { accept: 'text/html' })
  expect([broken.status, await broken.text()]).toEqual([500, expect.stringContaining('We can’t show this right now')])

  const lines = await startWorker()
  const before = lines.length

  const stoppedMs = performance.now()
  await postgres.stop()
  await until('The refusal', () =>
    ways['a statement of the pool']!().then(
      () => false,
      (error: Error) => /login/.test(error.message),
    ),
  )
  for (const [name, ask] of Object.entries(ways)) {
    const error: unknown = await ask().then(
      () => expect.fail(`${name} was answered.`),
      (thrown: unknown) => thrown,
    )
    expect([name, isDatabaseDown(error), asAppError(error).code]).toEqual([name, true, 'unavailable'])
  }

  const authorization = `Bearer ${organization.key}`
  const requests: [string, string, object?][] = [
    ['POST', '/v1/collections', {}],
    ['PATCH', `/v1/items/${newId()}`, {}],
    ['DELETE', `/v1/webhooks/${newId()}`],
    ['GET', '/v1/items'],
    ['GET', `/public/v1/listings/${newId()}`],
    ['POST', '/public/v1/purchase-intents', {}],
    ['POST', `/public/v1/email-claims/${'a'.repeat(43)}/redeem`, {}],
  ]
  for (const [method, address, body] of requests) {
    const headers = { authorization, 'content-type': 'application/json' }
    const response = await fetch(`${url}${address}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    const { code } = (await response.json()) as { code: string }
    expect([method, address, response.status, code]).toEqual([method, address, 503, 'unavailable'])
  }

  const page = await get('/claim/abc', { accept: 'text/html', 'accept-language': 'de' })
  expect([page.status, page.headers.get('retry-after')]).toEqual([503, '5'])
  const text = await page.text()
  for (const words of ['<html lang="de"', 'Ihr Link ist in Ordnung', '<a href="">']) expect(text).toContain(words)
  // What scripts ask for stays as it is: they have words of their own.
  expect(await (await get('/claim/abc', { accept: 'text/html', rsc: '1' })).text()).toContain('__next_error__')

  const root = path.resolve(import.meta.dirname, '../..')
  const said = await new Promise<string>((resolve) =>
    execFile(process.execPath, [path.join(root, 'scripts/admin.ts'), 'list'], { cwd: root }, (_error, _out, err) =>
      resolve(err),
    ),
  )
  expect(said).toMatch(/^The database can’t be reached \(.*\)\. Nothing more was done; try again once it answers\./)

  // The first error of all loops, then one a minute. Warnings, such as of a row that was in work, are bounded by what
  // was in work.
  const isAbout = (level: number) => (line: string) => (JSON.parse(line) as { level: number }).level >= level
  await until('The worker’s line', () => lines.slice(before).some(isAbout(50)))
  const minutes = Math.floor((performance.now() - stoppedMs) / 60_000)
  expect(lines.slice(before).filter(isAbout(50)).length, lines.slice(before).join('\n')).toBeLessThanOrEqual(
    1 + minutes,
  )

  await postgres.start()
  await until('The worker’s return', () => lines.some((line) => line.includes('It works again.')))
  await until('The return', () =>
    ways['a read by Prisma']!().then(
      () => true,
      () => false,
    ),
  )
})
