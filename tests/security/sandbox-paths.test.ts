import { expect, test } from 'vitest'
import { env } from '../../lib/core/env.ts'
import { sandboxKeys } from '../../lib/ports/sandbox-cards/keys.ts'
import { GET as readProvider, POST as callProvider } from '../../app/sandbox/cards/v1/[...path]/route.ts'
import { GET as readInbox } from '../../app/dev/mail.json/route.ts'
import { startWebServer } from '../support/web-server.ts'

const ORIGIN = 'http://localhost:3000'
const authorized = (key: string) => ({ headers: { authorization: `Bearer ${key}` } })

test('these tests run without the sandbox', () => expect(env.VITRINE_SANDBOX).toBe(false))

test.each([
  '/dev',
  '/dev/mail',
  '/dev/mail.json?to=ada@example.com',
  '/dev/anything',
  '/%64ev/mail',
  '/x/../dev/mail',
  '/sandbox',
  '/sandbox/anything',
  '/sandbox/cards',
  '/sandbox/cards/v1',
  '/sandbox/cards/v2/payment_intents',
  '/sandbox/cards/../../dev/mail',
])('%s is 404 without the sandbox, and reaches no page', async (path) => {
  const reached: string[] = []
  const answerAll = async (request: { url?: string }, response: { end(): void }) => {
    reached.push(request.url ?? '')
    response.end()
  }
  const production = await startWebServer(answerAll)
  expect((await fetch(production.url + path)).status).toBe(404)
  expect(reached).toEqual([])
  const sandbox = await startWebServer(answerAll, { sandbox: true })
  expect((await fetch(sandbox.url + path)).status).toBe(200)
})

test('the inbox is 404 without the sandbox even where its folder is set', async () => {
  const before = env.DEV_MAIL_DIR
  env.DEV_MAIL_DIR = '/tmp'
  try {
    expect((await readInbox(new Request(`${ORIGIN}/dev/mail.json`))).status).toBe(404)
  } finally {
    env.DEV_MAIL_DIR = before
  }
})

test('the built-in card provider serves without the sandbox whoever has its keys, and is 404 for all others', async () => {
  const at = `${ORIGIN}/sandbox/cards/v1/payment_intents`
  const { publishableKey, secretKey } = sandboxKeys()
  const stranger = await readProvider(new Request(`${at}/pi_x`))
  expect([stranger.status, await stranger.text()]).toEqual([404, expect.not.stringMatching(/key/i)])
  expect((await readProvider(new Request(`${at}/pi_x`, authorized('sk_test_sandboxguess')))).status).toBe(404)
  expect((await callProvider(new Request(at, { method: 'POST', ...authorized(`${publishableKey}x`) }))).status).toBe(
    404,
  )
  expect((await readProvider(new Request(`${at}/pi_x`, authorized(publishableKey)))).status).toBe(404)
  const known = await readProvider(new Request(at, authorized(secretKey)))
  expect([known.status, await known.json()]).toMatchObject([404, { error: { message: "No such account: ''" } }])
})
