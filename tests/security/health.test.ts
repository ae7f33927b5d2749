import http from 'node:http'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { Prisma } from '../../generated/prisma/client.ts'
import { GET as getLive } from '../../app/health/live/route.ts'
import { GET as getReady } from '../../app/health/ready/route.ts'
import { GET as getStatus } from '../../app/health/status/route.ts'
import { env } from '../../lib/core/env.ts'
import { moveClock, resetClock } from '../../lib/core/clock.ts'
import { newId } from '../../lib/core/id.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { isDatabaseUp } from '../../lib/platform/http/is-database-up.ts'
import type { Chain } from '../../lib/ports/chain/chain.ts'
import { envKeyring } from '../../lib/ports/chain/env-keyring.ts'
import { networksFromEnv } from '../../lib/ports/chain/networks.ts'
import { viemChain } from '../../lib/ports/chain/viem-chain.ts'
import { ports, replacePorts } from '../../lib/ports/ports.ts'
import { loop } from '../../lib/worker/loop.ts'
import { serveHealth } from '../../lib/worker/serve-health.ts'
import { startFakeNode } from '../support/fake-node.ts'
import { spawnWorker } from '../support/worker.ts'
import { freePort } from '../../scripts/launcher/ports.ts'
import { until } from '../support/until.ts'

const KEY = 'a-key-for-the-health-of-this-test'
const OPERATOR_KEY = `0x${'5b'.repeat(32)}`
const worker = systemContext('test')

beforeEach(async () => {
  env.HEALTH_KEY = KEY
  await worker.db.worker.deleteMany()
  onTestFinished(resetClock)
})

const askStatus = async (authorization?: string) => {
  const response = await getStatus(
    new Request('http://localhost/health/status', { headers: { ...(authorization && { authorization }) } }),
  )
  return { status: response.status, body: (await response.json()) as any }
}

const runWorker = () =>
  worker.sql(Prisma.sql`
    INSERT INTO workers (id, started_at, seen_at) VALUES (${newId()}::uuid, clock_timestamp(), clock_timestamp())`)

/** Networks of one node each for this test, with one operator. */
function useNodes(...urls: string[]): void {
  const { chains, keys } = ports()
  const [network] = networksFromEnv('31337=http://127.0.0.1:1', '')
  const made = urls.map((url): Chain => viemChain(network!.network, [url], { timeoutMs: 300 }))
  replacePorts({
    chains: new Map(made.map((chain, at) => [at + 1, chain])),
    keys: envKeyring([OPERATOR_KEY], Buffer.alloc(32)),
  })
  onTestFinished(() => replacePorts({ chains, keys }))
}

const startNode = (balance: bigint) =>
  startFakeNode((method) =>
    method === 'eth_getBalance'
      ? { result: `0x${balance.toString(16)}` }
      : {
          result: {
            number: '0x5',
            hash: `0x${'1'.repeat(64)}`,
            parentHash: `0x${'2'.repeat(64)}`,
            timestamp: '0x1',
            logsBloom: null,
          },
        },
  )

test('the web process is ready while every chain is down and no worker runs', async () => {
  useNodes('http://127.0.0.1:1')
  const ready = await getReady()
  expect([ready.status, await ready.json()]).toEqual([200, { ready: true, database: { up: true } }])
  expect(getLive().status).toBe(200)
})

test('the status is 404 without HEALTH_KEY, and 401 without its value', async () => {
  for (const wrong of [undefined, 'Bearer wrong', `Bearer ${KEY}x`, `Basic ${KEY}`, 'Bearer '])
    expect((await askStatus(wrong)).status, wrong).toBe(401)
  env.HEALTH_KEY = ''
  for (const any of [undefined, 'Bearer ', `Bearer ${KEY}`]) expect((await askStatus(any)).status).toBe(404)
})

test('the status tells of workers, chains and operators, and is 200 only while nothing is missing', async () => {
  const node = await startNode(10n ** 18n)
  useNodes(node.url)
  expect(await askStatus(`Bearer ${KEY}`)).toMatchObject({ status: 503, body: { ok: false, worker: { up: false } } })
  await runWorker()
  expect(await askStatus(`Bearer ${KEY}`)).toMatchObject({
    status: 200,
    body: {
      ok: true,
      database: { up: true },
      worker: { up: true, silent: 0 },
      networks: [{ up: true, head: 5, operators: [{ balance: '1000000000000000000', low: false }] }],
    },
  })
})

test('an operator below the floor, or a node that never answers, makes the status 503', async () => {
  await runWorker()
  const [poor, hung] = [await startNode(1n), await startFakeNode(() => undefined)]
  useNodes(poor.url)
  expect(await askStatus(`Bearer ${KEY}`)).toMatchObject({
    status: 503,
    body: { networks: [{ up: true, operators: [{ balance: '1', low: true }] }] },
  })
  useNodes(hung.url)
  expect(await askStatus(`Bearer ${KEY}`)).toMatchObject({
    status: 503,
    body: { networks: [{ up: false, head: null, operators: [{ balance: null, low: null }] }] },
  })
})

test('a worker is live until a step of one of its loops does not end', async () => {
  const health = await serveHealth(0, '127.0.0.1')
  const ending = new AbortController()
  const [begun, step] = [Promise.withResolvers<void>(), Promise.withResolvers<number>()]
  const looping = loop('a loop that hangs', ending.signal, () => {
    begun.resolve()
    return step.promise
  })
  onTestFinished(() => health.stop())
  await begun.promise
  const ask = async () => {
    const response = await fetch(`http://127.0.0.1:${health.port}/health/live`)
    return { status: response.status, body: await response.json() }
  }
  expect(await ask()).toEqual({ status: 200, body: { live: true, stuck: [] } })
  moveClock(11 * 60_000)
  expect(await ask()).toEqual({ status: 503, body: { live: false, stuck: ['a loop that hangs'] } })
  ending.abort()
  step.resolve(0)
  await looping
  expect((await ask()).status).toBe(200)
})

test('a loop that fails again and again is live, and one that pauses too', async () => {
  const health = await serveHealth(0, '127.0.0.1')
  onTestFinished(() => health.stop())
  const ending = new AbortController()
  const loops = [
    loop('fails', ending.signal, () => Promise.reject(new Error('no database'))),
    loop('pauses', ending.signal, () => Promise.resolve(3_600_000)),
  ]
  await new Promise(setImmediate)
  moveClock(30 * 60_000)
  expect((await fetch(`http://127.0.0.1:${health.port}/health/live`)).status).toBe(200)
  ending.abort()
  await Promise.all(loops)
})

/** One request as it is written, since fetch would tidy the path. */
const statusOf = (port: number, method: string, path: string) =>
  new Promise<number>((resolve, reject) =>
    http
      .request({ host: '127.0.0.1', port, method, path }, (response) => resolve(response.resume().statusCode!))
      .on('error', reject)
      .end(),
  )

test('the worker process serves its health and nothing else', async () => {
  const port = await freePort()
  const { stop } = spawnWorker(
    { env: {} },
    { env: { WORKER_HEALTH_PORT: String(port), RPC_URLS: '', OPERATOR_KEYS: '' } },
  )
  await until('The worker', () =>
    statusOf(port, 'GET', '/health/live').then(
      (status) => status === 200,
      () => false,
    ),
  )
  expect(await statusOf(port, 'GET', '/health/ready')).toBe(200)
  for (const path of ['/', '/health', '/health/status', '/health/live/', '/v1/me', '//', '/constructor', '/__proto__'])
    expect(await statusOf(port, 'GET', path), path).toBe(404)
  expect(await statusOf(port, 'POST', '/health/live')).toBe(404)
  expect((await stop()).code).toBe(0)
})

test('a worker with a weak server key ends at once', async () => {
  const { ended } = spawnWorker({ env: {} }, { env: { SERVER_KEY: '0'.repeat(64) } })
  expect((await ended).code).toBe(1)
})

test('a flood of questions asks the database once at a time', async () => {
  const answers = Array.from({ length: 100 }, () => isDatabaseUp())
  expect(new Set(answers).size).toBe(1)
  expect(await answers[0]).toBe(true)
  expect(isDatabaseUp()).not.toBe(answers[0])
})
