import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import { beforeEach, describe, expect, test } from 'vitest'
import { customSmtpMail } from '../../lib/ports/mail/custom-smtp.ts'
import type { MailMessage, MailRefused } from '../../lib/ports/mail/mail.ts'
import { mailgunMail } from '../../lib/ports/mail/mailgun.ts'
import { sesMail } from '../../lib/ports/mail/ses.ts'
import {
  MAILGUN_API_KEY,
  type ReceivedMail,
  SMTP_PASSWORD,
  startMailgunServer,
  startSmtpServer,
  SMTP_USER,
} from '../support/mail-servers.ts'

const starttls = await startSmtpServer({ tls: 'request' })
// A port that means TLS from the start, at an address that no other test run has.
const own = `127.${randomInt(1, 255)}.${randomInt(1, 255)}.${randomInt(1, 255)}`
const fromTheStart = await startSmtpServer({ tls: 'start', host: own, port: 2465 })
const plain = await startSmtpServer({ tls: 'none' })
const mailgun = await startMailgunServer()

const LOCAL = ['127.0.0.0/8', '::1/128']
const ses = (settings: { username?: string; password?: string; port?: number } = {}) =>
  sesMail(
    {
      provider: 'CLOUD_MAIL',
      region: 'eu-west-1',
      username: SMTP_USER,
      password: SMTP_PASSWORD,
      port: starttls.port,
      ...settings,
    },
    { allow: LOCAL, ca: starttls.ca },
    'localhost',
  )
const custom = (settings: { host?: string; port?: number | null; password?: string; allow?: string[] } = {}) => {
  const { allow = LOCAL, ...rest } = settings
  return customSmtpMail(
    {
      provider: 'CUSTOM_SMTP',
      host: 'localhost',
      port: plain.port,
      username: SMTP_USER,
      password: SMTP_PASSWORD,
      ...rest,
    },
    { allow, ca: starttls.ca },
  )
}
const api = ({ apiKey = MAILGUN_API_KEY } = {}) =>
  mailgunMail({ provider: 'MAIL_API', domain: 'mg.gallery.example', region: 'EU', apiKey }, mailgun.base)

const letter = (more: Partial<MailMessage> = {}): MailMessage => ({
  messageId: '<0198c2f0-0000-7000-8000-000000000000@vitrine.example>',
  from: '"Night Gallery" <drops@gallery.example>',
  replyTo: 'hello@gallery.example',
  to: 'ada@example.com',
  subject: 'Night Gallery sent you “Moonflower”',
  text: 'It is yours to take: https://vitrine.example/claim/abc\n',
  html: '<p>It is <b>yours</b> to take.</p>',
  ...more,
})

beforeEach(() => {
  for (const { state } of [starttls, fromTheStart, plain]) state.refusal = null
  mailgun.state.refusal = null
})

const ADAPTERS: [string, () => ReturnType<typeof api>, () => ReceivedMail[]][] = [
  ['MAIL_API', () => api(), () => mailgun.inbox],
  ['CLOUD_MAIL', () => ses(), () => starttls.inbox],
  ['CUSTOM_SMTP', () => custom(), () => plain.inbox],
]

describe.each(ADAPTERS)('%s', (_, mail, inbox) => {
  test('the letter arrives as it was written, under its Message-ID', async () => {
    const sent = letter()
    await mail().send(sent)
    const { html, text, headers, ...arrived } = inbox().at(-1)!
    expect(arrived).toMatchObject({
      from: 'Night Gallery <drops@gallery.example>',
      to: [sent.to],
      subject: sent.subject,
      messageId: sent.messageId,
      replyTo: 'hello@gallery.example',
    })
    expect([html.trim(), text.trim()]).toEqual([sent.html, sent.text.trim()])
    expect(headers).toMatchObject({ 'auto-submitted': 'auto-generated' })
  })

  test('without a Reply-To there is none', async () => {
    await mail().send(letter({ replyTo: undefined }))
    expect(inbox().at(-1)!.replyTo).toBeNull()
  })
})

const refusal = async (send: Promise<unknown>): Promise<MailRefused> => {
  const error = await send.then(
    () => expect.fail('It was sent.'),
    (reason: unknown) => reason as MailRefused,
  )
  expect(error.name).toBe('MailRefused')
  return error
}

describe('mail servers over SMTP', () => {
  test('TLS from the start, at a port that means it', async () => {
    await customSmtpMail(
      { provider: 'CUSTOM_SMTP', host: own, port: 2465, username: SMTP_USER, password: SMTP_PASSWORD },
      { allow: LOCAL, ca: fromTheStart.ca },
    ).send(letter())
    expect([fromTheStart.inbox.length, fromTheStart.state.secured]).toEqual([1, 1])
  })

  test('TLS on request, its certificate checked against the name', async () => {
    const before = starttls.state.secured
    await ses().send(letter())
    expect(starttls.state.secured).toBe(before + 1)
    const stranger = sesMail(
      {
        provider: 'CLOUD_MAIL',
        region: 'eu-west-1',
        username: SMTP_USER,
        password: SMTP_PASSWORD,
        port: starttls.port,
      },
      { allow: LOCAL },
      'localhost',
    )
    expect((await refusal(stranger.send(letter()))).message).toMatch(/self-signed certificate/)
    const byAddress = sesMail(
      {
        provider: 'CLOUD_MAIL',
        region: 'eu-west-1',
        username: SMTP_USER,
        password: SMTP_PASSWORD,
        port: starttls.port,
      },
      { allow: LOCAL, ca: starttls.ca },
      starttls.address,
    )
    expect((await refusal(byAddress.send(letter()))).message).toMatch(/does not match certificate/)
  })

  test.each([
    '127.0.0.1',
    '::1',
    '[::1]',
    '10.1.2.3',
    '192.168.0.1',
    '169.254.169.254',
    'localhost',
    '::ffff:127.0.0.1',
    '0.0.0.0',
    'fd00::1',
    '100.64.0.1',
  ])('%s is not reached', async (host) => {
    const error = await refusal(custom({ host, port: 587, allow: [] }).send(letter()))
    expect(error).toMatchObject({
      message: 'The mail server’s address is not on the public internet.',
      permanent: false,
    })
  })

  test('what the operator allows may be reached, and no more than that', async () => {
    const before = plain.inbox.length
    await custom({ allow: ['127.0.0.0/8', '::1'] }).send(letter())
    expect(plain.inbox).toHaveLength(before + 1)
    await refusal(custom({ host: '127.0.0.1', allow: ['127.0.0.2/32'] }).send(letter()))
  })

  test('a public address is reached at the ports of mail servers only', async () => {
    expect((await refusal(custom({ host: '8.8.8.8', port: 22, allow: [] }).send(letter()))).message).toMatch(
      /at the ports 25, 465/,
    )
  })

  test('a name that nobody has is said so', async () => {
    expect((await refusal(custom({ host: 'mail.nobody.invalid', port: 587 }).send(letter()))).message).toBe(
      'There is no mail server by the name mail.nobody.invalid.',
    )
  })

  test('a wrong password is told in the server’s words, without the password it repeats', async () => {
    const password = 'not the right one at all'
    const { message } = await refusal(custom({ password }).send(letter()))
    expect(message).toContain('535')
    expect(message).toContain('[secret]')
    expect(message).not.toContain(password)
  })

  test('only words about the address itself say that there is no such address', async () => {
    const said = async (code: number, words: string) => {
      plain.state.refusal = { at: 'rcpt', code, words }
      const { permanent, noSuchAddress } = await refusal(custom().send(letter()))
      return [permanent, noSuchAddress]
    }
    expect(await said(550, '5.1.1 No such user here')).toEqual([true, true])
    expect(await said(556, '5.1.10 The domain takes no mail')).toEqual([true, true])
    expect(await said(550, '5.1.8 The sender’s domain is not known')).toEqual([true, false])
    expect(await said(550, '5.7.1 Your address is on a list')).toEqual([true, false])
    expect(await said(552, '5.2.2 The mailbox is full')).toEqual([true, false])
    expect(await said(451, '4.7.1 Come back later')).toEqual([false, false])
    plain.state.refusal = { at: 'data', code: 554, words: '5.1.1 is what somebody wrote' }
    expect(await refusal(custom().send(letter()))).toMatchObject({ permanent: false, noSuchAddress: false })
  })

  test('a server that never stops talking is left', async () => {
    const server = createServer((socket) => {
      const talk = () => void (socket.writable && socket.write('x'.repeat(64 * 1024), talk))
      socket.on('error', () => undefined)
      talk()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    await refusal(custom({ host: '127.0.0.1', port }).send(letter()))
    await new Promise<void>((resolve) => server.close(() => resolve()))
  })
})

describe('Mailgun', () => {
  test('nothing in a letter is tracked, and its name there is kept', async () => {
    expect(await api().send(letter())).toEqual({ providerId: '0198c2f0-0000-7000-8000-000000000000@vitrine.example' })
    expect(mailgun.inbox.at(-1)).toMatchObject({ domain: 'mg.gallery.example', tracking: 'no' })
  })

  test('a refusal is told in its words, and never holds the key', async () => {
    const wrong = await refusal(api({ apiKey: 'key-of-somebody-else' }).send(letter()))
    expect(wrong).toMatchObject({
      message: 'Mailgun refused: 401, the API key is not valid for this region',
      permanent: false,
    })
    mailgun.state.refusal = {
      status: 400,
      body: { message: `to parameter is not a valid address (${MAILGUN_API_KEY})` },
    }
    const bad = await refusal(api().send(letter()))
    expect(bad).toMatchObject({
      message: 'Mailgun refused: 400 to parameter is not a valid address ([secret])',
      permanent: true,
    })
    expect(JSON.stringify(Object.entries(bad)) + bad.stack + String(bad.cause)).not.toContain(MAILGUN_API_KEY)
    mailgun.state.refusal = { status: 503, body: { message: 'Down' } }
    expect(await refusal(api().send(letter()))).toMatchObject({ permanent: false })
    const nowhere = mailgunMail(
      { provider: 'MAIL_API', domain: 'gallery.example', region: 'US', apiKey: MAILGUN_API_KEY },
      'http://127.0.0.1:1',
    )
    expect((await refusal(nowhere.send(letter()))).message).toMatch(/^Mailgun can’t be reached/)
  })
})
