import { afterEach, describe, expect, test } from 'vitest'
import { moveClock, now, resetClock } from '../../lib/core/clock.ts'
import { newId } from '../../lib/core/id.ts'
import { systemClient } from '../../lib/db/client.ts'
import { makeKey, makeOrganization, type TestOrganization } from '../support/organization.ts'
import { makeSession } from '../support/sessions.ts'
import { call } from '../support/call.ts'
import { env } from '../../lib/core/env.ts'

afterEach(resetClock)

const PAYOUT = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const MAIL_SETTINGS = {
  provider: 'CUSTOM_SMTP',
  config: { email_from: 'Gallery <a@gallery.example>', username: 'u', password: 'p', host: '93.184.215.14', port: 587 },
}
const makeMailSettings = async ({ key }: TestOrganization): Promise<string> => {
  const { body } = await call('POST', '/v1/email-integrations', { key, body: MAIL_SETTINGS })
  return `/v1/email-integrations/${body.id}`
}
const WEBHOOK = { name: 'Shop', url: 'https://93.184.215.14/hooks' }
const makeWebhook = async ({ key }: TestOrganization): Promise<string> => {
  const { body } = await call('POST', '/v1/webhooks', { key, body: WEBHOOK })
  return `/v1/webhooks/${body.id}`
}

/** Calls as the dashboard's own pages do, with a session that was signed in so long ago. */
async function signedIn({ userId }: { userId: string }, secondsAgo: number) {
  const headers = { cookie: `next-auth.session-token=${await makeSession(userId, { secondsAgo })}`, origin: env.ORIGIN }
  return (method: 'POST' | 'PATCH' | 'DELETE', url: string, body?: unknown) =>
    call(method, url, { headers, ...(body !== undefined && { body }) })
}

const mailsTo = (email: string) =>
  systemClient().outboxMessage.count({ where: { toEmail: email, templateType: 'PROTECTED_CHANGE' } })

async function addMember(mine: TestOrganization, role: 'OWNER' | 'EDITOR'): Promise<string> {
  const user = await systemClient().user.create({ data: { email: `${newId()}@example.com` } })
  const id = newId()
  await systemClient().member.create({
    data: { id, organizationId: mine.id, userId: user.id, role, joinedAt: now() },
  })
  return id
}

type Ask = { method: 'POST' | 'PATCH' | 'DELETE'; url: string; body?: unknown }

/** Each change that a stolen session alone must not make. */
const CHANGES: Record<string, (mine: TestOrganization) => Promise<Ask> | Ask> = {
  'the payout address': ({ id }) => ({
    method: 'PATCH',
    url: `/v1/organizations/${id}`,
    body: { payout_address: PAYOUT },
  }),
  'an invitation of an owner': () => ({
    method: 'POST',
    url: '/v1/members',
    body: { email: `${newId()}@example.com`, role: 'OWNER' },
  }),
  'making a member an owner': async (mine) => ({
    method: 'PATCH',
    url: `/v1/members/${await addMember(mine, 'EDITOR')}`,
    body: { role: 'OWNER' },
  }),
  'taking an owner’s role': async (mine) => ({
    method: 'PATCH',
    url: `/v1/members/${await addMember(mine, 'OWNER')}`,
    body: { role: 'EDITOR' },
  }),
  'removing a member': async (mine) => ({ method: 'DELETE', url: `/v1/members/${await addMember(mine, 'EDITOR')}` }),
  'a LIVE key': () => ({ method: 'POST', url: '/v1/api-keys', body: { name: 'Shop', mode: 'LIVE' } }),
  'new mail settings': () => ({ method: 'POST', url: '/v1/email-integrations', body: MAIL_SETTINGS }),
  'changed mail settings': async (mine) => ({
    method: 'PATCH',
    url: await makeMailSettings(mine),
    body: { email_from: 'Gallery <b@attacker.example>' },
  }),
  'deleted mail settings': async (mine) => ({ method: 'DELETE', url: await makeMailSettings(mine) }),
  'a new webhook': () => ({ method: 'POST', url: '/v1/webhooks', body: WEBHOOK }),
  'a webhook’s address': async (mine) => ({
    method: 'PATCH',
    url: await makeWebhook(mine),
    body: { url: 'https://93.184.215.14/elsewhere' },
  }),
  'a webhook’s secret': async (mine) => ({
    method: 'POST',
    url: `${await makeWebhook(mine)}/rotate-secret`,
    body: {},
  }),
}

describe.each(Object.entries(CHANGES))('%s', (_, changeOf) => {
  test('a session signed in eleven minutes ago is refused, and changes nothing', async () => {
    const mine = await makeOrganization()
    const { method, url, body } = await changeOf(mine)
    const audited = () => systemClient().auditEntry.count({ where: { organizationId: mine.id } })
    const before = await audited()
    const answer = await (await signedIn(mine, 660))(method, url, body)
    expect([answer.status, answer.body.code]).toEqual([403, 'sign_in_again'])
    expect(await audited()).toBe(before)
    expect(await mailsTo(mine.email)).toBe(0)
  })

  test('a session signed in nine minutes ago may, and the owner is told by mail', async () => {
    const mine = await makeOrganization()
    const { method, url, body } = await changeOf(mine)
    const answer = await (await signedIn(mine, 540))(method, url, body)
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
    expect(await mailsTo(mine.email)).toBe(1)
  })

  test('an API key with the permission may at any time', async () => {
    const mine = await makeOrganization()
    const { method, url, body } = await changeOf(mine)
    const { key } = await makeKey(mine, { mode: 'LIVE' })
    moveClock(660_000)
    const answer = await call(method, url, { key, ...(body !== undefined && { body }) })
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
    expect(await mailsTo(mine.email)).toBe(0)
  })
})

test('other changes need no recent sign-in', async () => {
  const mine = await makeOrganization()
  const ask = await signedIn(mine, 660)
  const email = `${newId()}@example.com`
  const answers = [
    await ask('PATCH', `/v1/organizations/${mine.id}`, { name: 'Renamed' }),
    await ask('POST', '/v1/members', { email, role: 'EDITOR' }),
    await ask('POST', '/v1/api-keys', { name: 'Trial', mode: 'TEST' }),
    await ask('PATCH', await makeWebhook(mine), { name: 'Shop 2', url: WEBHOOK.url, events: ['item.minted'] }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([200, 201, 201, 200])
})

test('an owner whose role is taken is told by mail', async () => {
  const mine = await makeOrganization()
  const id = await addMember(mine, 'OWNER')
  const { userId } = await systemClient().member.findUniqueOrThrow({ where: { id } })
  const { email } = await systemClient().user.findUniqueOrThrow({ where: { id: userId } })
  const answer = await (await signedIn(mine, 0))('PATCH', `/v1/members/${id}`, { role: 'EDITOR' })
  expect([answer.status, await mailsTo(email), await mailsTo(mine.email)]).toEqual([200, 1, 1])
})
