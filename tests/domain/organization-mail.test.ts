import { createHmac, randomBytes } from 'node:crypto'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { POST } from '../../app/webhooks/mail/[integration_id]/route.ts'
import { createClaim } from '../../lib/giving/create-claim.ts'
import { sendPin } from '../../lib/giving/send-pin.ts'
import { now } from '../../lib/core/clock.ts'
import { newId } from '../../lib/core/id.ts'
import { systemClient } from '../../lib/db/client.ts'
import { integrationMail } from '../../lib/ports/mail/integration-mail.ts'
import { writeMail } from '../../lib/messaging/outbox/write-mail.ts'
import { replacePorts } from '../../lib/ports/ports.ts'
import { callerOf } from '../support/call.ts'
import { makeItem, installFakeChain, sendClaim } from '../support/claims.ts'
import {
  MAILGUN_API_KEY,
  SMTP_PASSWORD,
  startMailgunServer,
  startSmtpServer,
  SMTP_USER,
} from '../support/mail-servers.ts'
import { startMailbox, type Mailbox } from '../support/mailbox.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'

const smtp = await startSmtpServer({ tls: 'none' })
const mailgun = await startMailgunServer()

let mailbox: Mailbox
let mine: TestOrganization
let api: ReturnType<typeof callerOf>

beforeAll(async () => {
  mailbox = await startMailbox()
  installFakeChain()
  replacePorts({
    integrationMail: (settings) =>
      integrationMail(settings, { allow: ['127.0.0.1/32', '::1/128'], mailgunBase: mailgun.base }),
  })
})
beforeEach(async () => {
  mine = await makeOrganization({ name: 'Night Gallery' })
  api = callerOf(mine.key)
})
afterEach(() => {
  mailbox.refuse(null)
  smtp.state.refusal = null
  mailgun.state.refusal = null
})

const SMTP = {
  provider: 'CUSTOM_SMTP',
  config: {
    email_from: 'Night Gallery <drops@gallery.example>',
    email_reply_to: 'hello@gallery.example',
    username: SMTP_USER,
    password: SMTP_PASSWORD,
    host: 'localhost',
    port: smtp.port,
  },
}
const MAILGUN = {
  provider: 'MAIL_API',
  config: {
    email_from: 'Night Gallery <drops@gallery.example>',
    domain: 'mg.gallery.example',
    api_key: MAILGUN_API_KEY,
    region: 'US',
  },
}

async function makeActiveIntegration(body: object): Promise<string> {
  const { id } = (await api.post('/v1/email-integrations', body)).body
  expect((await api.post(`/v1/email-integrations/${id}/activate`)).body.status).toBe('ACTIVE')
  return id
}
const rowOf = (toEmail: string) =>
  systemClient().outboxMessage.findFirstOrThrow({ where: { toEmail }, orderBy: { id: 'desc' } })
const alarms = () => systemClient().alarm.findMany({ where: { organizationId: mine.id } })
const suppressions = async () => (await api.get('/v1/suppressions')).body.results

describe('mail through an organization’s email integration', () => {
  test('claim mails are sent through it, from its address, and the row records the integration', async () => {
    const id = await makeActiveIntegration(SMTP)
    const { email } = await sendClaim(mine)
    expect(await mailbox.deliver(email)).toEqual([])
    expect(mailbox.mailsTo(email)).toEqual([])
    const row = await rowOf(email)
    expect(row).toMatchObject({ state: 'SENT', integrationId: id })
    expect(smtp.inbox.at(-1)).toMatchObject({
      to: [email],
      from: 'Night Gallery <drops@gallery.example>',
      replyTo: 'hello@gallery.example',
      messageId: row.messageId,
    })
  })

  test('a campaign sets the sender’s name, and its address only within the integration’s domain', async () => {
    await makeActiveIntegration(SMTP)
    const { itemId } = await makeItem(mine, { tokenType: 'ERC1155', maxSupply: null })
    const fromOf = async (emailFrom: string) => {
      const campaign = await mine.ctx.db.campaign.create({
        data: { id: newId(), organizationId: mine.id, name: newId(), emailFrom },
      })
      const email = `${newId()}@example.com`
      await createClaim(mine.ctx, { email, item_id: itemId, campaign_id: campaign.id })
      await mailbox.deliver(email)
      expect(await rowOf(email)).toMatchObject({ campaignId: campaign.id })
      return smtp.inbox.at(-1)!.from
    }
    expect(await fromOf('The "Moon" club')).toBe('The Moon club <drops@gallery.example>')
    expect(await fromOf('Moon <moon@gallery.example>')).toBe('Moon <moon@gallery.example>')
    expect(await fromOf('Moon <moon@elsewhere.example>')).toBe('Moon <drops@gallery.example>')
  })

  test('it carries no mail before activation, no mail to members, and none after its deletion', async () => {
    const pending = (await api.post('/v1/email-integrations', SMTP)).body.id
    const first = await sendClaim(mine)
    await mailbox.deliver(first.email)
    expect(mailbox.mailsTo(first.email)).toHaveLength(1)
    await api.post(`/v1/email-integrations/${pending}/activate`)

    const to = `${newId()}@example.com`
    await writeMail(mine.ctx, {
      templateType: 'SIGN_IN',
      to,
      variables: { sign_in_url: 'https://vitrine.example/x', origin_host: 'vitrine.example', minutes: '60' },
    })
    await mailbox.deliver(to)
    expect(mailbox.mailsTo(to)).toHaveLength(1)

    const waiting = await sendClaim(mine)
    await api.delete(`/v1/email-integrations/${pending}`)
    await mailbox.deliver(waiting.email)
    expect(mailbox.mailsTo(waiting.email)).toHaveLength(1)
    expect(await rowOf(waiting.email)).toMatchObject({ state: 'SENT', integrationId: null })
  })

  test('a failure is shown on the message and the integration, and cleared by the next sent mail', async () => {
    const id = await makeActiveIntegration(SMTP)
    const { email } = await sendClaim(mine)
    smtp.state.refusal = { at: 'data', code: 451, text: '4.7.0 Too many at once' }
    expect(await mailbox.deliver(email)).toEqual([expect.stringContaining('4.7.0')])
    expect(await rowOf(email)).toMatchObject({
      state: 'PENDING',
      lastError: expect.stringContaining('Too many at once'),
    })
    expect((await api.get(`/v1/email-integrations/${id}`)).body).toMatchObject({
      status: 'ACTIVE',
      last_error: expect.stringContaining('Too many at once'),
    })
    smtp.state.refusal = null
    expect(await mailbox.deliver(email)).toEqual([])
    expect((await api.get(`/v1/email-integrations/${id}`)).body.last_error).toBeNull()
  })

  test('a missing mailbox is suppressed with one alarm; a policy refusal suppresses nobody', async () => {
    await makeActiveIntegration(SMTP)
    const policy = await sendClaim(mine)
    smtp.state.refusal = { at: 'rcpt', code: 550, text: '5.7.1 We know you' }
    for (let tries = 0; tries < 8; tries++) await mailbox.deliver(policy.email)
    expect(await rowOf(policy.email)).toMatchObject({ state: 'FAILED', bouncedAt: null })
    expect(await suppressions()).toEqual([])

    const missing = await sendClaim(mine)
    smtp.state.refusal = { at: 'rcpt', code: 550, text: '5.1.1 No such user' }
    for (let tries = 0; tries < 8; tries++) await mailbox.deliver(missing.email)
    expect(await rowOf(missing.email)).toMatchObject({
      state: 'FAILED',
      bouncedAt: expect.any(Date),
      lastError: expect.stringContaining('5.1.1'),
    })
    expect(await suppressions()).toEqual([
      expect.objectContaining({ email: missing.email, reason: 'BOUNCE', detail: expect.stringContaining('5.1.1') }),
    ])
    expect((await alarms()).filter(({ kind }) => kind === 'mail_stopped')).toHaveLength(1)
  })
})

type MailgunEvent = {
  event: string
  severity?: string
  reason?: string
  recipient: string
  messageId?: string
  key?: string
  at?: Date
  token?: string
}

/** Posts a signed event to our route, as Mailgun does. */
async function postEvent(
  integrationId: string,
  {
    event,
    severity,
    reason,
    recipient,
    messageId,
    key = MAILGUN_API_KEY,
    at = now(),
    token = randomBytes(25).toString('hex'),
  }: MailgunEvent,
) {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const body = {
    signature: {
      timestamp,
      token,
      signature: createHmac('sha256', key)
        .update(timestamp + token)
        .digest('hex'),
    },
    'event-data': {
      event,
      severity,
      reason,
      recipient,
      message: { headers: { 'message-id': messageId } },
      'delivery-status': { code: 550, message: '5.1.1 No such user', description: '' },
      timestamp: at.getTime() / 1000,
    },
  }
  const request = new Request(`http://localhost/webhooks/mail/${integrationId}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  })
  const response = await POST(request, { params: Promise.resolve({ integration_id: integrationId }) })
  return { status: response.status, body: (await response.json()) as { code?: string } }
}

describe('events from Mailgun', () => {
  let id: string
  beforeEach(async () => {
    id = await makeActiveIntegration(MAILGUN)
  })
  const sendOne = async () => {
    const claim = await sendClaim(mine)
    await mailbox.deliver(claim.email)
    const row = await rowOf(claim.email)
    return { ...claim, row, messageId: row.messageId.slice(1, -1) }
  }

  test('delivered and temporarily failed are recorded, also on the claim’s mails', async () => {
    const { email, messageId, id: claimId } = await sendOne()
    expect((await postEvent(id, { event: 'failed', severity: 'temporary', recipient: email, messageId })).status).toBe(
      200,
    )
    expect(await rowOf(email)).toMatchObject({
      deliveredAt: null,
      bouncedAt: null,
      lastError: '550 5.1.1 No such user',
    })
    expect((await postEvent(id, { event: 'delivered', recipient: email, messageId })).status).toBe(200)
    const { mails } = (await api.get(`/v1/email-claims/${claimId}`)).body
    expect(mails).toEqual([
      expect.objectContaining({
        state: 'SENT',
        delivered_at: expect.any(String),
        bounced_at: null,
        complained_at: null,
      }),
    ])
    expect(await suppressions()).toEqual([])
  })

  test('a bounce or complaint suppresses the address for all claim mails, until that is deleted', async () => {
    const bounced = await sendOne()
    await sendPin(bounced.ctx)
    await postEvent(id, {
      event: 'failed',
      severity: 'permanent',
      reason: 'bounce',
      recipient: bounced.email,
      messageId: bounced.messageId,
    })
    const complained = await sendOne()
    await postEvent(id, { event: 'complained', recipient: complained.email, messageId: complained.messageId })
    expect(await suppressions()).toEqual([
      {
        id: expect.any(String),
        email: complained.email,
        reason: 'COMPLAINT',
        detail: expect.any(String),
        created_at: expect.any(String),
      },
      {
        id: expect.any(String),
        email: bounced.email,
        reason: 'BOUNCE',
        detail: '550 5.1.1 No such user',
        created_at: expect.any(String),
      },
    ])
    for (const [query, found] of [
      [`email=${bounced.email}`, 1],
      ['reason=COMPLAINT', 1],
      ['email=nobody@example.com', 0],
    ] as const)
      expect((await api.get(`/v1/suppressions?${query}`)).body.total_results).toBe(found)

    await mailbox.deliver(bounced.email)
    expect(await rowOf(bounced.email)).toMatchObject({
      templateType: 'CLAIM_PINCODE',
      state: 'FAILED',
      variables: null,
      lastError: expect.stringMatching(/^Mail to this address is stopped since it bounced on \d+ \w+ \d{4}\.$/),
    })
    const { itemId } = await makeItem(mine)
    const refusals = [
      await api.post('/v1/email-claims', { email: bounced.email.toUpperCase(), item_id: itemId }),
      await api.post(`/v1/email-claims/${bounced.id}/resend`),
      await callerOf().post(`/public/v1/email-claims/${complained.token}/verify`),
      await api.post(`/v1/email-integrations/${id}/send-test`, { email: bounced.email }),
    ]
    for (const { status, body } of refusals)
      expect([status, body.code], JSON.stringify(body)).toEqual([409, 'address_suppressed'])
    expect((await alarms()).filter(({ kind, resolvedAt }) => kind === 'mail_stopped' && !resolvedAt)).toHaveLength(2)

    const [, entry] = await suppressions()
    expect((await api.delete(`/v1/suppressions/${entry.id}`)).status).toBe(204)
    expect((await api.delete(`/v1/suppressions/${entry.id}`)).status).toBe(404)
    expect((await api.post('/v1/email-claims', { email: bounced.email, item_id: itemId })).status).toBe(201)
    expect((await alarms()).filter(({ kind, resolvedAt }) => kind === 'mail_stopped' && !resolvedAt)).toHaveLength(1)
  })

  test('a claim to a suppressed address can be resent to a corrected one', async () => {
    const claim = await sendOne()
    await postEvent(id, { event: 'failed', severity: 'permanent', recipient: claim.email, messageId: claim.messageId })
    expect((await api.post(`/v1/email-claims/${claim.id}/resend`, { email: `${newId()}@example.com` })).status).toBe(
      200,
    )
  })

  test('a failure not caused by the address is recorded without suppression', async () => {
    const { email, messageId } = await sendOne()
    await postEvent(id, { event: 'failed', severity: 'permanent', reason: 'old', recipient: email, messageId })
    expect(await rowOf(email)).toMatchObject({ bouncedAt: expect.any(Date) })
    expect(await suppressions()).toEqual([])
  })

  test('a repeated event counts once, and an event about a foreign address not at all', async () => {
    const { email, messageId } = await sendOne()
    const event = { event: 'failed', severity: 'permanent', recipient: email, messageId, token: 'a'.repeat(50) }
    await postEvent(id, event)
    const [entry] = await suppressions()
    await api.delete(`/v1/suppressions/${entry.id}`)
    expect((await postEvent(id, event)).status).toBe(200)
    expect(await suppressions()).toEqual([])
    await postEvent(id, {
      event: 'complained',
      recipient: 'stranger@example.com',
      messageId: 'not-of-ours@mg.gallery.example',
    })
    expect(await suppressions()).toEqual([])
    await postEvent(id, { event: 'complained', recipient: email, messageId: 'not-of-ours@mg.gallery.example' })
    expect(await suppressions()).toHaveLength(1)
    const other = await makeOrganization()
    expect((await callerOf(other.key).get('/v1/suppressions')).body.results).toEqual([])
  })

  test('events with a wrong, stale or future signature, or an invalid body, change nothing', async () => {
    const { email, messageId } = await sendOne()
    const event = { event: 'complained', recipient: email, messageId }
    expect((await postEvent(id, { ...event, key: 'key-of-somebody-else' })).body.code).toBe('unauthenticated')
    for (const minutes of [-16, 16])
      expect((await postEvent(id, { ...event, at: new Date(now().getTime() + minutes * 60_000) })).status).toBe(401)
    for (const minutes of [-14, 14])
      expect(
        (await postEvent(id, { ...event, event: 'delivered', at: new Date(now().getTime() + minutes * 60_000) }))
          .status,
      ).toBe(200)
    const unsigned = await POST(new Request('http://localhost/', { method: 'POST', body: '{"event-data":{}}' }), {
      params: Promise.resolve({ integration_id: id }),
    })
    const huge = await POST(new Request('http://localhost/', { method: 'POST', body: 'x'.repeat(513 * 1024) }), {
      params: Promise.resolve({ integration_id: id }),
    })
    expect([unsigned.status, huge.status]).toEqual([400, 413])
    expect(await suppressions()).toEqual([])
  })

  test('a configured webhook signing key replaces the API key', async () => {
    const { email, messageId } = await sendOne()
    await api.patch(`/v1/email-integrations/${id}`, { webhook_signing_key: 'sign-here-please' })
    expect((await api.get(`/v1/email-integrations/${id}`)).body.status).toBe('ACTIVE')
    expect((await postEvent(id, { event: 'delivered', recipient: email, messageId })).status).toBe(401)
    expect(
      (await postEvent(id, { event: 'delivered', recipient: email, messageId, key: 'sign-here-please' })).status,
    ).toBe(200)
  })

  test('an unknown integration, a malformed id and another provider’s integration are all 404', async () => {
    await api.delete(`/v1/email-integrations/${id}`)
    const { id: other } = (await api.post('/v1/email-integrations', SMTP)).body
    for (const unknown of [id, other, 'nope', newId()])
      expect((await postEvent(unknown, { event: 'delivered', recipient: 'ada@example.com' })).status).toBe(404)
  })
})
