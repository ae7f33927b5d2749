import { randomInt } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { customSmtpMail } from '../../lib/ports/mail/custom-smtp.ts'
import type { MailMessage, MailRefused } from '../../lib/ports/mail/mail.ts'
import { mailgunMail } from '../../lib/ports/mail/mailgun.ts'
import { sesMail } from '../../lib/ports/mail/ses.ts'
import { smtpMail } from '../../lib/ports/mail/smtp.ts'
import {
  MAILGUN_API_KEY,
  type ReceivedMail,
  SMTP_PASSWORD,
  startMailgunServer,
  startSmtpServer,
  SMTP_USER,
} from '../support/mail-servers.ts'

const starttls = await startSmtpServer({ tls: 'request' })
// Port 2465 means TLS from the start; a random loopback address keeps test runs apart.
const tlsHost = `127.${randomInt(1, 255)}.${randomInt(1, 255)}.${randomInt(1, 255)}`
const implicitTls = await startSmtpServer({ tls: 'start', host: tlsHost, port: 2465 })
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

const makeMessage = (more: Partial<MailMessage> = {}): MailMessage => ({
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
  for (const { state } of [starttls, implicitTls, plain]) state.refusal = null
  mailgun.state.refusal = null
})

const ADAPTERS: [string, () => ReturnType<typeof api>, () => ReceivedMail[]][] = [
  ['MAIL_API', () => api(), () => mailgun.inbox],
  ['CLOUD_MAIL', () => ses(), () => starttls.inbox],
  ['CUSTOM_SMTP', () => custom(), () => plain.inbox],
]

describe.each(ADAPTERS)('%s', (_, mail, inbox) => {
  test('a message arrives unchanged, with its Message-ID', async () => {
    const sent = makeMessage()
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

  test('without a Reply-To none is set', async () => {
    await mail().send(makeMessage({ replyTo: undefined }))
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

describe('SMTP adapters', () => {
  test('port 2465 uses TLS from the start', async () => {
    await customSmtpMail(
      { provider: 'CUSTOM_SMTP', host: tlsHost, port: 2465, username: SMTP_USER, password: SMTP_PASSWORD },
      { allow: LOCAL, ca: implicitTls.ca },
    ).send(makeMessage())
    expect([implicitTls.inbox.length, implicitTls.state.secured]).toEqual([1, 1])
  })

  test('STARTTLS is used, with the certificate checked against the host name', async () => {
    const before = starttls.state.secured
    await ses().send(makeMessage())
    expect(starttls.state.secured).toBe(before + 1)
    const untrusting = sesMail(
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
    expect((await refusal(untrusting.send(makeMessage()))).message).toMatch(/self-signed certificate/)
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
    expect((await refusal(byAddress.send(makeMessage()))).message).toMatch(/does not match certificate/)
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
  ])('the private address %s is refused', async (host) => {
    const error = await refusal(custom({ host, port: 587, allow: [] }).send(makeMessage()))
    expect(error).toMatchObject({
      message:
        'The mail server’s address is not on the public internet. Who runs this installation can allow its range with EGRESS_ALLOW.',
      permanent: false,
    })
  })

  test('private addresses in the allowed ranges may be reached, and no others', async () => {
    const before = plain.inbox.length
    await custom({ allow: ['127.0.0.0/8', '::1'] }).send(makeMessage())
    expect(plain.inbox).toHaveLength(before + 1)
    await refusal(custom({ host: '127.0.0.1', allow: ['127.0.0.2/32'] }).send(makeMessage()))
  })

  test('a public address is reached only at mail ports', async () => {
    expect((await refusal(custom({ host: '8.8.8.8', port: 22, allow: [] }).send(makeMessage()))).message).toMatch(
      /at the ports 25, 465/,
    )
  })

  test('an unknown host name is reported', async () => {
    expect((await refusal(custom({ host: 'mail.nobody.invalid', port: 587 }).send(makeMessage()))).message).toBe(
      'There is no mail server by the name mail.nobody.invalid.',
    )
  })

  test('a wrong password is reported in the server’s words, with the password removed', async () => {
    const password = 'not the right one at all'
    const { message } = await refusal(custom({ password }).send(makeMessage()))
    expect(message).toContain('535')
    expect(message).toContain('[secret]')
    expect(message).not.toContain(password)
  })

  test('noSuchAddress is set only by replies about the recipient’s address', async () => {
    const outcomeOf = async (code: number, text: string) => {
      plain.state.refusal = { at: 'rcpt', code, text }
      const { permanent, noSuchAddress } = await refusal(custom().send(makeMessage()))
      return [permanent, noSuchAddress]
    }
    expect(await outcomeOf(550, '5.1.1 No such user here')).toEqual([true, true])
    expect(await outcomeOf(556, '5.1.10 The domain takes no mail')).toEqual([true, true])
    expect(await outcomeOf(550, '5.1.8 The sender’s domain is not known')).toEqual([true, false])
    expect(await outcomeOf(550, '5.7.1 Your address is on a list')).toEqual([true, false])
    expect(await outcomeOf(552, '5.2.2 The mailbox is full')).toEqual([true, false])
    expect(await outcomeOf(552, '5.2.2 The mailbox is over its daily quota')).toEqual([true, false])
    expect(await outcomeOf(552, '5.3.4 Message size exceeds fixed limit')).toEqual([true, false])
    expect(await outcomeOf(451, '4.7.1 Come back later')).toEqual([false, false])
    plain.state.refusal = { at: 'data', code: 554, text: '5.1.1 is what somebody wrote' }
    expect(await refusal(custom().send(makeMessage()))).toMatchObject({ permanent: false, noSuchAddress: false })
  })

  test('a limit on what the sender may send a day is temporary, whatever its code says', async () => {
    for (const [code, text] of [
      [550, '5.4.5 Daily user sending limit exceeded.'],
      [550, '5.7.1 Daily message quota exceeded'],
      [554, '5.7.1 Too many messages today'],
      [550, 'Your account is over its hourly limit'],
    ] as const) {
      plain.state.refusal = { at: 'rcpt', code, text }
      expect(await refusal(custom().send(makeMessage())), text).toMatchObject({
        permanent: false,
        noSuchAddress: false,
      })
    }
  })

  test('a server that sends an endless greeting is refused', async () => {
    const server = createServer((socket) => {
      const talk = () => void (socket.writable && socket.write('x'.repeat(64 * 1024), talk))
      socket.on('error', () => undefined)
      talk()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    await refusal(custom({ host: '127.0.0.1', port }).send(makeMessage()))
    await new Promise<void>((resolve) => server.close(() => resolve()))
  })
})

describe('Mailgun', () => {
  test('tracking is off, and Mailgun’s id of the message is returned', async () => {
    expect(await api().send(makeMessage())).toEqual({
      providerId: '0198c2f0-0000-7000-8000-000000000000@vitrine.example',
    })
    expect(mailgun.inbox.at(-1)).toMatchObject({ domain: 'mg.gallery.example', tracking: 'no' })
  })

  test('a refusal is reported in Mailgun’s words, without the API key', async () => {
    const wrong = await refusal(api({ apiKey: 'key-of-somebody-else' }).send(makeMessage()))
    expect(wrong).toMatchObject({
      message: 'Mailgun refused: 401, the API key is not valid for this region',
      permanent: false,
    })
    mailgun.state.refusal = {
      status: 400,
      body: { message: `to parameter is not a valid address (${MAILGUN_API_KEY})` },
    }
    const bad = await refusal(api().send(makeMessage()))
    expect(bad).toMatchObject({
      message: 'Mailgun refused: 400 to parameter is not a valid address ([secret])',
      permanent: true,
    })
    expect(JSON.stringify(Object.entries(bad)) + bad.stack + String(bad.cause)).not.toContain(MAILGUN_API_KEY)
    mailgun.state.refusal = { status: 503, body: { message: 'Down' } }
    expect(await refusal(api().send(makeMessage()))).toMatchObject({ permanent: false })
    const unreachable = mailgunMail(
      { provider: 'MAIL_API', domain: 'gallery.example', region: 'US', apiKey: MAILGUN_API_KEY },
      'http://127.0.0.1:1',
    )
    expect((await refusal(unreachable.send(makeMessage()))).message).toMatch(/^Mailgun can’t be reached/)
  })
})

test('fifty mails of one organization leave over four connections, and a changed password opens its own', async () => {
  const before = { connections: plain.state.connections, logins: plain.logins.length }
  const ids = Array.from({ length: 50 }, (_, at) => `<pooled-${at}@vitrine.example>`)
  // Each mail opens the adapter anew, as the outbox does.
  await Promise.all(ids.map((messageId) => custom({ host: '127.0.0.1' }).send(makeMessage({ messageId }))))
  const received = plain.inbox.map(({ messageId }) => messageId).filter((id) => ids.includes(id))
  expect(received.sort()).toEqual([...ids].sort())
  expect(plain.state.connections - before.connections).toBeLessThanOrEqual(4)
  expect(plain.logins.length - before.logins).toBeLessThanOrEqual(4)
  await expect(custom({ host: '127.0.0.1', password: 'changed' }).send(makeMessage())).rejects.toMatchObject({
    name: 'MailRefused',
  })
})

test('fifty mails over the installation’s own server leave over five connections', async () => {
  const before = plain.state.connections
  const mail = smtpMail(`smtp://${SMTP_USER}:${encodeURIComponent(SMTP_PASSWORD)}@127.0.0.1:${plain.port}`)
  const ids = Array.from({ length: 50 }, (_, at) => `<installation-${at}@vitrine.example>`)
  await Promise.all(ids.map((messageId) => mail.send(makeMessage({ messageId }))))
  const received = plain.inbox.map(({ messageId }) => messageId).filter((id) => ids.includes(id))
  expect(received.sort()).toEqual([...ids].sort())
  expect(plain.state.connections - before).toBeLessThanOrEqual(5)
})

/** A server that accepts a mail only when it is told to. `next`: once so many mails wait, what accepts them. */
async function startHoldingServer() {
  const waiting: (() => void)[] = []
  const arrived = new EventEmitter()
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.write('220 ready\r\n')
    let isBody = false
    createInterface({ input: socket }).on('line', (line) => {
      const answer = (text: string) => void socket.write(`${text}\r\n`)
      if (isBody) {
        if (line !== '.') return
        isBody = false
        waiting.push(() => answer('250 accepted'))
        return void arrived.emit('mail')
      }
      const command = line.slice(0, 4).toUpperCase()
      if (command === 'EHLO') return answer('250-localhost\r\n250 AUTH PLAIN')
      if (command === 'AUTH') return answer('235 welcome')
      isBody = command === 'DATA'
      answer(isBody ? '354 go on' : '250 ok')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const next = async (count: number) => {
    while (waiting.length < count) await once(arrived, 'mail')
    return waiting.splice(0)
  }
  return { port: (server.address() as AddressInfo).port, next }
}

test('a mail that waits for a connection to a slow server isn’t late, and ends none of the others', async () => {
  const { port, next } = await startHoldingServer()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const sent = Promise.all(
    Array.from({ length: 5 }, (_, at) =>
      custom({ host: '127.0.0.1', port }).send(makeMessage({ messageId: `<slow-${at}@vitrine.example>` })),
    ),
  )
  const first = await next(4)
  vi.advanceTimersByTime(40_000)
  for (const accept of first) accept()
  const [accept] = await next(1)
  vi.advanceTimersByTime(10_000)
  accept!()
  expect(await sent).toHaveLength(5)
})
