import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { GET as readMails } from '../../app/dev/mail.json/route.ts'
import { POST as payAtSandbox } from '../../app/sandbox/cards/v1/[...path]/route.ts'
import { env } from '../../lib/core/env.ts'
import type { Answer, Call, Endpoint } from '../../lib/platform/api/endpoint.ts'
import * as keys from '../../lib/platform/api/api-keys.ts'
import { operations } from '../../lib/platform/api/index.ts'
import { getMe } from '../../lib/platform/api/me.ts'
import { storeInboxMail } from '../../lib/ports/mail/inbox.ts'
import { clientOf, each, Problem, type Table } from '../../packages/client/src/client.ts'
import { type CardData, CARDS, sandboxOf } from '../../packages/client/src/sandbox.ts'
import { installFakeChain } from '../support/claims.ts'
import { frontDoor } from '../support/front-door.ts'
import { makeKey, makeOrganization, type TestOrganization } from '../support/organization.ts'
import { buy, connectCards, makeListing } from '../support/selling.ts'
import { leaveDisagreements } from '../support/verify-file.ts'

leaveDisagreements(
  'A payment ends as paid at the provider, before its event is told.',
  'a payment agrees with the sandbox provider’s',
)

/** The operations of this file, typed by their values; the build types them by the documents. */
const used = { ...keys, getMe }
type Used = {
  [K in keyof typeof used as (typeof used)[K] extends Endpoint ? K : never]: (
    input: Call<(typeof used)[K]>,
    options?: { idempotencyKey?: string },
  ) => Promise<Answer<(typeof used)[K]>>
}
const table: Table = Object.fromEntries(
  [...operations].map(([name, { method, path, query }]) => [
    name,
    [method, path, Object.keys(query?.shape ?? {}).join(' ')],
  ]),
)

let mine: TestOrganization
beforeAll(async () => {
  mine = await makeOrganization()
})
const connect = async (key: string) => clientOf<Used>(table, { origin: (await frontDoor()).url, key })

test('the client sends, reads pages, and repeats a request idempotently', async () => {
  const vitrine = await connect(mine.key)
  expect((await vitrine.getMe({})).organization.id).toBe(mine.id)

  const body = { name: 'Shop', permissions: ['items:read' as const] }
  const once = await vitrine.createApiKey({ body }, { idempotencyKey: 'only-once' })
  const again = await vitrine.createApiKey({ body }, { idempotencyKey: 'only-once' })
  expect(again).toEqual(once)
  const other = await vitrine.createApiKey({ body })
  expect(other.id).not.toBe(once.id)

  const found: string[] = []
  for await (const { id } of each(vitrine.listApiKeys, { query: { limit: 1 } })) found.push(id)
  expect(found).toEqual([other.id, once.id, mine.keyId])
  expect(await vitrine.revokeApiKey({ params: { api_key_id: once.id } })).toBeUndefined()
})

test('the client rejects with the server’s error, its fields and the id of the request', async () => {
  const { key } = await makeKey(mine)
  const vitrine = await connect(key)
  const failure = await vitrine.createApiKey({ body: { name: '' } }).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(Problem)
  expect(failure).toMatchObject({ code: 'invalid_request', status: 400, fields: [{ field: 'name' }] })
  expect((failure as Problem).requestId).toMatch(/^[\w-]{36}$/)
  const missing = vitrine.getApiKey({ params: { api_key_id: mine.id } })
  await expect(missing).rejects.toMatchObject({ code: 'not_found' })
})

/** The sandbox's paths, answered by their route files. */
function openSandbox() {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'vitrine-inbox-'))
  Object.assign(env, { VITRINE_SANDBOX: true, DEV_MAIL_DIR: dir })
  onTestFinished(() => {
    Object.assign(env, { VITRINE_SANDBOX: false, DEV_MAIL_DIR: '' })
    fs.rmSync(dir, { recursive: true })
  })
  const sandbox = sandboxOf('http://localhost', (url, init) => {
    const request = new Request(url, init)
    return new URL(url).pathname === '/dev/mail.json' ? readMails(request) : payAtSandbox(request)
  })
  return { sandbox, dir }
}

test('the client pays with the sandbox’s cards', async () => {
  installFakeChain()
  await connectCards(mine)
  const { sandbox } = openSandbox()
  const dataOf = async () => (await buy((await makeListing(mine)).id)).body.data as CardData
  expect(await sandbox.pay(await dataOf())).toMatchObject({ status: 'succeeded' })
  expect(await sandbox.pay(await dataOf(), CARDS.asksTheBank)).toMatchObject({ status: 'requires_action' })
  await expect(sandbox.pay(await dataOf(), CARDS.isDeclined)).rejects.toThrow(/^Your card was declined\.$/)
})

test('the client reads the sandbox’s inbox, and waits for a mail', async () => {
  const { sandbox, dir } = openSandbox()
  const mail = { from: 'a@example.com', reply_to: null, subject: 'Your PIN', html: '', headers: {} }
  const send = (id: string, to: string, text: string) =>
    storeInboxMail(dir, { ...mail, id, to, text, sent_at: `2026-11-20T12:00:0${id}.000Z` })
  await send('1', 'ada@example.com', 'PIN 123456')
  await send('2', 'grace@example.com', 'PIN 654321')
  expect((await sandbox.mails('ada@example.com')).map(({ text }) => text)).toEqual(['PIN 123456'])
  const awaited = sandbox.mailTo('ada@example.com', /on its way/)
  await send('3', 'ada@example.com', 'It is on its way.')
  expect(await awaited).toMatchObject({ id: '3', subject: 'Your PIN' })
  await expect(sandbox.mailTo('ada@example.com', /lost/, 0)).rejects.toThrow('No such mail to ada@example.com came')
})
