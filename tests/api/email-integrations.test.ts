import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../../lib/core/id.ts'
import { systemClient } from '../../lib/db/client.ts'
import { integrationMail } from '../../lib/ports/mail/integration-mail.ts'
import { replacePorts } from '../../lib/ports/ports.ts'
import { type ApiResponse, callerOf, code } from '../support/call.ts'
import {
  MAILGUN_API_KEY,
  SMTP_PASSWORD,
  startMailgunServer,
  startSmtpServer,
  SMTP_USER,
} from '../support/mail-servers.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'

const smtp = await startSmtpServer({ tls: 'none' })
const mailgun = await startMailgunServer()

let mine: TestOrganization
let api: ReturnType<typeof callerOf>

/** Allows mail servers on this machine, and replaces Mailgun by the local stand-in. */
const allowLocal = () =>
  replacePorts({
    integrationMail: (settings) =>
      integrationMail(settings, { allow: ['127.0.0.1/32', '::1/128'], mailgunBase: mailgun.base }),
  })
const allowNothing = () =>
  replacePorts({ integrationMail: (settings) => integrationMail(settings, { allow: [], mailgunBase: mailgun.base }) })

beforeAll(allowLocal)
beforeEach(async () => {
  mine = await makeOrganization({ name: 'Night Gallery' })
  api = callerOf(mine.key)
  smtp.state.refusal = null
})

const FROM = 'Night Gallery <drops@gallery.example>'
const CONFIGS = {
  MAIL_API: { email_from: FROM, domain: 'mg.gallery.example', api_key: MAILGUN_API_KEY, region: 'EU' },
  CLOUD_MAIL: {
    email_from: FROM,
    email_reply_to: 'hello@gallery.example',
    smtp_username: 'AKIAEXAMPLE',
    smtp_password: 'a secret of amazon’s',
    region: 'eu-west-1',
    port: null,
  },
  CUSTOM_SMTP: { email_from: FROM, username: SMTP_USER, password: SMTP_PASSWORD, host: 'localhost', port: smtp.port },
} as const
type Provider = keyof typeof CONFIGS
const make = (provider: Provider, more: object = {}) =>
  api.post('/v1/email-integrations', { provider, config: { ...CONFIGS[provider], ...more } })
const wrong = ({ status, body }: ApiResponse) => [
  status,
  [...new Set(body.errors.map(({ field }: { field: string }) => field))],
]
const auditOf = async () =>
  JSON.stringify(await systemClient().auditEntry.findMany({ where: { organizationId: mine.id } }))

describe('email integrations', () => {
  test('for each provider, settings are returned without secrets, and an organization has one integration', async () => {
    const shown = {
      MAIL_API: {
        email_from: FROM,
        email_reply_to: null,
        domain: 'mg.gallery.example',
        region: 'EU',
        api_key_set: true,
        webhook_signing_key_set: false,
      },
      CLOUD_MAIL: {
        email_from: FROM,
        email_reply_to: 'hello@gallery.example',
        smtp_username: 'AKIAEXAMPLE',
        smtp_password_set: true,
        region: 'eu-west-1',
        port: null,
      },
      CUSTOM_SMTP: {
        email_from: FROM,
        email_reply_to: null,
        username: SMTP_USER,
        password_set: true,
        host: 'localhost',
        port: smtp.port,
      },
    }
    for (const provider of ['MAIL_API', 'CLOUD_MAIL', 'CUSTOM_SMTP'] as const) {
      const made = await make(provider)
      expect([made.status, made.body]).toEqual([
        201,
        {
          id: expect.any(String),
          provider,
          status: 'PENDING',
          config: shown[provider],
          last_error: null,
          activated_at: null,
          webhook_url: provider === 'MAIL_API' ? expect.stringMatching(/\/webhooks\/mail\/[0-9a-f-]{36}$/) : null,
          created_at: expect.any(String),
          updated_at: expect.any(String),
        },
      ])
      const { id } = made.body
      expect((await api.get(`/v1/email-integrations/${id}`)).body).toEqual(made.body)
      expect((await api.get('/v1/email-integrations')).body).toMatchObject({ total_results: 1, results: [made.body] })
      for (const other of ['MAIL_API', 'CUSTOM_SMTP'] as const)
        expect(code(await make(other))).toEqual([409, 'email_integration_exists'])
      expect((await api.delete(`/v1/email-integrations/${id}`)).status).toBe(204)
      expect(code(await api.get(`/v1/email-integrations/${id}`))).toEqual([404, 'not_found'])
      expect(code(await api.delete(`/v1/email-integrations/${id}`))).toEqual([404, 'not_found'])
    }
  })

  test('20 simultaneous requests create one integration', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => make('MAIL_API')))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ body }) => body.code === 'email_integration_exists')).toHaveLength(19)
  })

  test('missing, invalid and other providers’ settings are refused by field name', async () => {
    expect(wrong(await make('MAIL_API', { smtp_password: 'x' }))).toEqual([400, ['config.smtp_password']])
    expect(wrong(await make('CUSTOM_SMTP', { region: 'EU' }))).toEqual([400, ['config.region']])
    expect(wrong(await api.post('/v1/email-integrations', { provider: 'PIGEON', config: {} }))).toEqual([
      400,
      ['provider'],
    ])
    expect(wrong(await api.post('/v1/email-integrations', { provider: 'MAIL_API', config: {} }))).toEqual([
      400,
      ['config.email_from', 'config.domain', 'config.api_key', 'config.region'],
    ])
    expect(wrong(await make('MAIL_API', { region: 'ASIA' }))).toEqual([400, ['config.region']])
    for (const domain of [
      'gallery',
      'mg.gallery.example/v3',
      'a@b.example',
      '-x.example',
      'https://gallery.example',
      '../domains',
    ])
      expect(wrong(await make('MAIL_API', { domain }))).toEqual([400, ['config.domain']])
    for (const region of ['eu', 'eu-west-1.evil.example#', 'EU-WEST-1', 'eu-west-12', ''])
      expect(wrong(await make('CLOUD_MAIL', { region }))).toEqual([400, ['config.region']])
    for (const port of [0, 65536, 1.5, '25'])
      expect(wrong(await make('CUSTOM_SMTP', { port }))).toEqual([400, ['config.port']])
    for (const host of [
      '',
      'a b',
      'mail.gallery.example:25',
      'user@mail.gallery.example',
      'x/../y',
      `${'a'.repeat(64)}.example`,
    ])
      expect(wrong(await make('CUSTOM_SMTP', { host }))).toEqual([400, ['config.host']])
    for (const email_from of [
      'Night Gallery',
      'a@b',
      'A <a@gallery.example>, B <b@gallery.example>',
      'A <a@gallery.example>\r\nBcc: x@y.example',
      '',
    ])
      expect(wrong(await make('MAIL_API', { email_from }))).toEqual([400, ['config.email_from']])
    for (const api_key of ['', 'a\nb', 'x'.repeat(501)])
      expect(wrong(await make('MAIL_API', { api_key }))).toEqual([400, ['config.api_key']])
  })

  test('a change, flat or under config, leaves omitted secrets as they are, and refuses another provider’s fields', async () => {
    const { id } = (await make('CUSTOM_SMTP')).body
    const path = `/v1/email-integrations/${id}`
    expect((await api.patch(path, { email_reply_to: 'hello@gallery.example' })).body.config).toMatchObject({
      email_reply_to: 'hello@gallery.example',
      password_set: true,
    })
    expect(
      (await api.patch(path, { config: { email_from: 'drops@gallery.example', password: '' } })).body.config,
    ).toMatchObject({ email_from: 'drops@gallery.example', email_reply_to: 'hello@gallery.example' })
    expect((await api.patch(path, { password: null, email_reply_to: null })).body.config).toMatchObject({
      email_reply_to: null,
      password_set: true,
    })
    expect((await api.post(`${path}/activate`)).body.status).toBe('ACTIVE')
    expect(wrong(await api.patch(path, { api_key: 'x' }))).toEqual([400, ['api_key']])
    expect(wrong(await api.patch(path, { config: { domain: 'gallery.example', port: 0 } }))).toEqual([
      400,
      ['config.port'],
    ])
    expect(wrong(await api.patch(path, { config: { domain: 'gallery.example' } }))).toEqual([400, ['config.domain']])
    expect(wrong(await api.patch(path, { no_such_field: 1 }))).toEqual([400, ['no_such_field']])
    expect(wrong(await api.patch(path, { email_from: null }))).toEqual([400, ['email_from']])
    expect((await api.patch(path, { provider: 'CUSTOM_SMTP' })).status).toBe(200)
    expect(code(await api.patch(path, { provider: 'MAIL_API' }))).toEqual([422, 'email_config_invalid'])
  })

  test('a change that can affect delivery needs a new activation; other changes keep it ACTIVE', async () => {
    const { id } = (await make('CUSTOM_SMTP')).body
    const path = `/v1/email-integrations/${id}`
    const statusAfter = async (change: object) => {
      await api.post(`${path}/activate`)
      return (await api.patch(path, change)).body.status
    }
    expect(await statusAfter({ email_reply_to: 'hello@gallery.example' })).toBe('ACTIVE')
    expect(await statusAfter({ email_from: FROM, host: 'localhost', password: SMTP_PASSWORD })).toBe('ACTIVE')
    expect(await statusAfter({ email_from: 'New <new@gallery.example>' })).toBe('PENDING')
    expect(await statusAfter({ password: 'another' })).toBe('PENDING')
    expect(code(await api.post(`${path}/activate`))).toEqual([422, 'mail_refused'])
  })

  test('activate sends a test message to the requesting member, then the integration is ACTIVE', async () => {
    const { id } = (await make('CUSTOM_SMTP', { email_reply_to: 'hello@gallery.example' })).body
    const activated = await api.post(`/v1/email-integrations/${id}/activate`)
    expect(activated.body).toMatchObject({ id, status: 'ACTIVE', last_error: null, activated_at: expect.any(String) })
    const mail = smtp.inbox.at(-1)!
    expect(mail).toMatchObject({
      to: [mine.email],
      from: 'Night Gallery <drops@gallery.example>',
      replyTo: 'hello@gallery.example',
    })
    const row = await systemClient().outboxMessage.findUniqueOrThrow({ where: { messageId: mail.messageId } })
    expect(row).toMatchObject({
      organizationId: mine.id,
      templateType: 'TEST',
      state: 'SENT',
      integrationId: id,
      toEmail: mine.email,
      variables: null,
    })
  })

  test('the server’s refusal is returned and stored on the integration, without the password', async () => {
    const password = 'not the right one at all'
    const { id } = (await make('CUSTOM_SMTP', { password })).body
    const path = `/v1/email-integrations/${id}`
    const refused = await api.post(`${path}/activate`)
    expect(code(refused)).toEqual([422, 'mail_refused'])
    expect(refused.body.detail).toContain('535')
    const stored = (await api.get(path)).body
    expect(stored).toMatchObject({ status: 'FAILED', last_error: refused.body.detail })
    for (const text of [JSON.stringify(refused.body), JSON.stringify(stored), await auditOf()])
      expect(text).not.toContain(password)
    await api.patch(path, { password: SMTP_PASSWORD })
    expect((await api.get(path)).body).toMatchObject({ status: 'PENDING', last_error: null })
    expect((await api.post(`${path}/activate`)).body).toMatchObject({ status: 'ACTIVE', last_error: null })
  })

  test('a test message goes to any address; an unknown recipient does not fail the integration', async () => {
    const { id } = (await make('CUSTOM_SMTP')).body
    const path = `/v1/email-integrations/${id}`
    await api.post(`${path}/activate`)
    const email = `${newId()}@example.com`
    expect((await api.post(`${path}/send-test`, { email })).body).toEqual({
      email,
      message_id: expect.stringMatching(/^<.+@.+>$/),
      provider_id: null,
      sent_at: expect.any(String),
    })
    expect(smtp.inbox.at(-1)!.to).toEqual([email])
    smtp.state.refusal = { at: 'rcpt', code: 550, text: '5.1.1 No such user' }
    expect(code(await api.post(`${path}/send-test`, { email }))).toEqual([422, 'mail_refused'])
    expect((await api.get(path)).body).toMatchObject({ status: 'ACTIVE', last_error: expect.stringContaining('5.1.1') })
    smtp.state.refusal = { at: 'rcpt', code: 554, text: '5.7.1 Your sender is not verified' }
    expect(code(await api.post(`${path}/send-test`))).toEqual([422, 'mail_refused'])
    expect((await api.get(path)).body.status).toBe('FAILED')
    smtp.state.refusal = null
    await api.post(`${path}/send-test`)
    expect((await api.get(path)).body).toMatchObject({ status: 'PENDING', last_error: null })
  })

  test('activating Mailgun posts to its API with our Message-ID', async () => {
    const { id } = (await make('MAIL_API')).body
    expect((await api.post(`/v1/email-integrations/${id}/activate`)).body.status).toBe('ACTIVE')
    expect(mailgun.inbox.at(-1)).toMatchObject({ domain: 'mg.gallery.example', to: [mine.email] })
    const row = await systemClient().outboxMessage.findFirstOrThrow({ where: { organizationId: mine.id } })
    expect(`<${row.providerId}>`).toBe(row.messageId)
  })

  test('a mail server at a private address is not contacted', async () => {
    allowNothing()
    for (const host of ['127.0.0.1', '::1', '10.0.0.1', '169.254.169.254', 'localhost', '::ffff:127.0.0.1']) {
      const { id } = (await make('CUSTOM_SMTP', { host, port: 587 })).body
      const refused = await api.post(`/v1/email-integrations/${id}/activate`)
      expect(refused.body, host).toMatchObject({
        status: 422,
        code: 'mail_refused',
        detail:
          'The mail server’s address is not on the public internet. Who runs this installation can allow its range with EGRESS_ALLOW.',
      })
      await api.delete(`/v1/email-integrations/${id}`)
    }
    allowLocal()
  })

  test('secrets are encrypted at rest, absent from the audit log, and unreadable in another row', async () => {
    const { id } = (await make('MAIL_API', { webhook_signing_key: 'sign-here-please' })).body
    await api.patch(`/v1/email-integrations/${id}`, { api_key: 'key-a-newer-one' })
    const row = await systemClient().emailIntegration.findUniqueOrThrow({ where: { id } })
    const atRest = JSON.stringify(row.config) + Buffer.from(row.secrets).toString('latin1') + (await auditOf())
    for (const secret of [MAILGUN_API_KEY, 'key-a-newer-one', 'sign-here-please']) expect(atRest).not.toContain(secret)
    expect(await auditOf()).toContain('"renewed":["api_key"]')
    const other = await makeOrganization()
    const moved = await systemClient().emailIntegration.create({
      data: { ...row, id: newId(), organizationId: other.id, config: row.config as object },
    })
    const theirs = callerOf(other.key)
    expect((await theirs.get(`/v1/email-integrations/${moved.id}`)).body.config).toMatchObject({ api_key_set: false })
    expect((await theirs.post(`/v1/email-integrations/${moved.id}/activate`)).body).toMatchObject({
      code: 'mail_refused',
      detail: 'The settings can’t be read any more. Give the secrets anew.',
    })
    expect(wrong(await theirs.patch(`/v1/email-integrations/${moved.id}`, { region: 'US' }))).toEqual([
      400,
      ['api_key'],
    ])
    expect((await theirs.patch(`/v1/email-integrations/${moved.id}`, { api_key: MAILGUN_API_KEY })).status).toBe(200)
    expect((await theirs.post(`/v1/email-integrations/${moved.id}/activate`)).body.status).toBe('ACTIVE')
  })

  test('activate repeated with one Idempotency-Key sends one message', async () => {
    const { id } = (await make('CUSTOM_SMTP')).body
    const before = smtp.inbox.length
    const headers = { 'idempotency-key': newId() }
    const first = await api.post(`/v1/email-integrations/${id}/activate`, {}, headers)
    const again = await api.post(`/v1/email-integrations/${id}/activate`, {}, headers)
    expect([again.headers.get('idempotent-replayed'), again.body]).toEqual(['true', first.body])
    expect(smtp.inbox.length).toBe(before + 1)
  })
})
