import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { afterAll } from 'vitest'
import { makeCertificate } from './certificate.ts'

/** A received mail, the same shape for SMTP and Mailgun. */
export type ReceivedMail = {
  from: string
  to: string[]
  subject: string
  text: string
  html: string
  messageId: string
  replyTo: string | null
  headers: Record<string, string>
}

export const SMTP_USER = 'gallery'
export const SMTP_PASSWORD = 'correct horse battery staple'

type Refusal = { at: 'rcpt' | 'data'; code: number; text: string } | null

/** A real SMTP server with one user. `tls`: from the start, on request (STARTTLS), or none. */
export async function startSmtpServer({
  tls,
  host = 'localhost',
  port = 0,
}: {
  tls: 'start' | 'request' | 'none'
  host?: string
  port?: number
}) {
  const { key, cert } = makeCertificate(host)
  const inbox: ReceivedMail[] = []
  const logins: string[] = []
  const state = { refusal: null as Refusal, secured: 0, connections: 0 }
  const refuse = (at: 'rcpt' | 'data') =>
    state.refusal?.at === at ? Object.assign(new Error(state.refusal.text), { responseCode: state.refusal.code }) : null
  const server = new SMTPServer({
    key,
    cert,
    secure: tls === 'start',
    allowInsecureAuth: tls === 'none',
    disabledCommands: tls === 'request' ? [] : ['STARTTLS'],
    disableReverseLookup: true,
    onConnect: (_session, done) => {
      state.connections++
      done()
    },
    onAuth: ({ username, password }, _session, done) => {
      logins.push(`${username}`)
      if (username === SMTP_USER && password === SMTP_PASSWORD) return done(null, { user: username })
      done(Object.assign(new Error(`5.7.8 ${username} and ${password} don’t go together.`), { responseCode: 535 }))
    },
    onRcptTo: (_address, _session, done) => done(refuse('rcpt')),
    onData: (stream, session, done) => {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        const refused = refuse('data')
        if (refused) return done(refused)
        if (session.secure) state.secured++
        PostalMime.parse(Buffer.concat(parts)).then((mail) => {
          const written = (address: { name?: string | undefined; address?: string | undefined } | undefined) =>
            address?.name ? `${address.name} <${address.address}>` : (address?.address ?? '')
          inbox.push({
            from: written(mail.from),
            to: session.envelope.rcptTo.map(({ address }) => address),
            subject: mail.subject ?? '',
            text: mail.text ?? '',
            html: mail.html ?? '',
            messageId: mail.messageId ?? '',
            replyTo: mail.replyTo?.length ? mail.replyTo.map(written).join(', ') : null,
            headers: Object.fromEntries(mail.headers.map((header) => [header.key.toLowerCase(), header.value])),
          })
          done()
        }, done)
      })
    },
  })
  server.on('error', () => undefined) // a client that disconnected or rejected the certificate
  await new Promise<void>((resolve) => server.listen(port, host, resolve))
  afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const { port: bound, address } = server.server.address() as AddressInfo
  return { port: bound, address, ca: cert, inbox, logins, state }
}

export const MAILGUN_API_KEY = 'key-0123456789abcdef0123456789abcdef'

/** A server with the shape of Mailgun’s API: Basic auth, a form, `{id, message}`. */
export async function startMailgunServer() {
  const inbox: (ReceivedMail & { domain: string; tracking: string | null })[] = []
  const state = { refusal: null as { status: number; body: object } | null }
  const server = createServer((request, response) => {
    void answer(request).then(({ status, body }) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
    )
  })

  async function answer(request: IncomingMessage): Promise<{ status: number; body: object }> {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const domain = /^\/v3\/([^/]+)\/messages$/.exec(request.url ?? '')?.[1]
    if (request.headers.authorization !== `Basic ${Buffer.from(`api:${MAILGUN_API_KEY}`).toString('base64')}`)
      return { status: 401, body: { message: 'Invalid private key' } }
    if (!domain) return { status: 404, body: { message: 'Domain not found' } }
    if (state.refusal) return state.refusal
    const form = await new Response(Buffer.concat(parts), {
      headers: { 'content-type': request.headers['content-type']! },
    }).formData()
    const field = (name: string) => form.get(name) as string | null
    const headers = Object.fromEntries(
      [...form.keys()]
        .filter((name) => name.startsWith('h:'))
        .map((name) => [name.slice(2).toLowerCase(), field(name)!]),
    )
    inbox.push({
      domain,
      from: field('from')!.replaceAll('"', ''),
      to: [field('to')!],
      subject: field('subject')!,
      text: field('text')!,
      html: field('html')!,
      messageId: headers['message-id']!,
      replyTo: headers['reply-to'] ?? null,
      headers,
      tracking: field('o:tracking'),
    })
    return { status: 200, body: { id: headers['message-id'], message: 'Queued. Thank you.' } }
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return { base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, inbox, state }
}
