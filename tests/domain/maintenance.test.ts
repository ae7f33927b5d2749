import { NextRequest } from 'next/server'
import { afterEach, describe, expect, test } from 'vitest'
import { GET } from '../../app/api/auth/[...nextauth]/route.ts'
import { env } from '../../lib/core/env.ts'
import { newId } from '../../lib/core/id.ts'
import { systemClient } from '../../lib/db/client.ts'
import { fromDatabase } from '../../lib/db/errors.ts'
import { endpoints } from '../../lib/platform/api/index.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { attempt } from '../../lib/platform/http/action.ts'
import { maintenanceRefusal, maintenanceSince, setMaintenance } from '../../lib/platform/http/maintenance.ts'
import { askForSignIn } from '../../lib/members/ask-for-sign-in.ts'
import { loop } from '../../lib/worker/loop.ts'
import { startMailbox } from '../support/mailbox.ts'
import { makeOrganization } from '../support/organization.ts'
import { until } from '../support/until.ts'
import { startWebServer } from '../support/web-server.ts'
import { spawnWorker } from '../support/worker.ts'

const worker = systemContext('test')
const set = (isOn: boolean) => setMaintenance(worker, isOn)
afterEach(() => set(false))

/** A context that counts how often the row is read. */
function countingReads() {
  let count = 0
  const findUnique = (args: { where: { id: number } }) => {
    count++
    return worker.db.maintenance.findUnique(args)
  }
  const db = { maintenance: { findUnique } } as never
  return { worker: { ...worker, db }, reads: () => count }
}

/** The web process's server, and what it passed on to the application. */
async function startWeb() {
  const passed: string[] = []
  const web = await startWebServer(
    async (request, response) => {
      passed.push(`${request.method} ${request.url}`)
      response.end()
    },
    { origin: env.ORIGIN },
    maintenanceRefusal,
  )
  return { ...web, passed }
}

describe('the web process in maintenance', () => {
  test('refuses every write of both APIs with 503, a problem and Retry-After, and passes every read on', async () => {
    const { url, passed } = await startWeb()
    await set(true)
    for (const { method, path } of endpoints) {
      const at = path.replace(/\{\w+\}/g, newId())
      passed.length = 0
      const response = await fetch(`${url}${at}`, { method })
      if (method === 'GET') {
        expect([method, path, response.status, passed]).toEqual([method, path, 200, [`GET ${at}`]])
        continue
      }
      expect([method, path, response.status, passed]).toEqual([method, path, 503, []])
      expect(response.headers.get('content-type')).toBe('application/problem+json')
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(response.headers.get('access-control-allow-origin')).toBe('*')
      expect(await response.json()).toMatchObject({ code: 'maintenance', status: 503 })
    }
  })

  test('refuses what card providers, mail providers and sign-in links post, so that it is sent again', async () => {
    const { url, passed } = await startWeb()
    await set(true)
    for (const path of ['/webhooks/cards/stripe', '/webhooks/mail/x', '/api/auth/callback/email?token=x', '/sign-in'])
      expect((await fetch(`${url}${path}`, { method: 'POST', body: '{}' })).status).toBe(503)
    expect(passed).toEqual([])
    await set(false)
    expect((await fetch(`${url}/webhooks/cards/stripe`, { method: 'POST', body: '{}' })).status).toBe(200)
  })

  test('refuses what isn’t a page’s action, whatever its headers say', async () => {
    const { url, passed } = await startWeb()
    await set(true)
    const headers = { 'next-action': 'x', origin: env.ORIGIN }
    for (const path of [
      '/v1/collections',
      '/public/v1/purchase-intents',
      '/webhooks/cards/stripe',
      '/api/auth/callback/email',
    ])
      expect((await fetch(`${url}${path}`, { method: 'POST', headers, body: '{}' })).status).toBe(503)
    expect(passed).toEqual([])
  })

  test('lets no provider’s answer sign anybody in', async () => {
    const answer = () =>
      GET(new NextRequest(`${env.ORIGIN}/api/auth/callback/github?code=x&state=x`), {
        params: Promise.resolve({ nextauth: ['callback', 'github'] }),
      })
    await set(true)
    expect((await answer()).headers.get('location')).toBe(`${env.ORIGIN}/sign-in?error=Maintenance`)
  })

  test('without its database, writes are answered 503 with a problem and nothing is passed on', async () => {
    const passed: string[] = []
    const { url } = await startWebServer(
      async (request, response) => {
        passed.push(request.url!)
        response.end()
      },
      {},
      () => fromDatabase(Promise.reject(new Error('connect ECONNREFUSED 127.0.0.1:5432'))),
    )
    const response = await fetch(`${url}/v1/collections`, { method: 'POST', body: '{}' })
    expect([response.status, await response.json()]).toEqual([503, expect.objectContaining({ code: 'unavailable' })])
    expect(passed).toEqual([])
  })

  test('requests that come at once read the row once', async () => {
    const { worker: asking, reads } = countingReads()
    await set(false)
    const all = await Promise.all(Array.from({ length: 20 }, () => maintenanceSince(asking)))
    expect(all).toEqual(all.map(() => null))
    expect(reads()).toBe(1)
  })

  test('passes actions of pages on, and they say it in their form and do nothing', async () => {
    const { url, passed } = await startWeb()
    await set(true)
    await fetch(`${url}/dashboard`, { method: 'POST', headers: { 'next-action': 'x', origin: env.ORIGIN } })
    expect(passed).toEqual(['POST /dashboard'])
    let isDone = false
    const done = await attempt(undefined, async () => (isDone = true))
    expect(done).toMatchObject({ ok: false, code: 'maintenance', message: expect.stringContaining('maintenance') })
    expect(isDone).toBe(false)
  })
})

test('switching maintenance on twice and off twice is no error', async () => {
  for (const isOn of [true, true, false, false]) {
    await set(isOn)
    expect((await maintenanceRefusal()) !== null).toBe(isOn)
  }
})

test('in maintenance no step of the worker’s loops begins, and they go on by themselves afterwards', async () => {
  const ending = new AbortController()
  const steps: string[] = []
  const step = (name: string) => async () => {
    steps.push(name)
    return 5
  }
  await set(true)
  const loops = [
    loop('business', ending.signal, step('business')),
    loop('heartbeat', ending.signal, step('heartbeat'), { inMaintenance: true }),
  ]
  await until('Five heartbeats', () => steps.length >= 5)
  expect(new Set(steps)).toEqual(new Set(['heartbeat']))
  await set(false)
  await until('A step', () => steps.includes('business'))
  ending.abort()
  await Promise.all(loops)
})

test('a worker in maintenance lives but sends no mail; it sends what waited once maintenance is over', async () => {
  const mailbox = await startMailbox()
  const { email } = await makeOrganization()
  await set(true)
  await askForSignIn(worker, { email })
  const running = spawnWorker({ env: {} }, { env: { SMTP_URL: mailbox.url } })
  const beats = async () => systemClient().worker.findFirst({ where: { stoppedAt: null } })
  const first = await until('The first heartbeat', beats)
  await until('Two more heartbeats', async () => {
    const now = await beats()
    return now && now.seenAt.getTime() - first.seenAt.getTime() > 3_000
  })
  expect(await systemClient().outboxMessage.count({ where: { toEmail: email } })).toBe(0)
  expect(mailbox.mailsTo(email)).toEqual([])

  await set(false)
  await until('The mail', () => mailbox.mailsTo(email).length === 1)
  await running.stop()
})
