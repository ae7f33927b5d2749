import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import PostalMime, { type Address, type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { type InboxMail, storeInboxMail } from '../../lib/ports/mail/inbox.ts'

export type InboxServer = { port: number; stop: () => Promise<void> }
export type InboxOptions = {
  dir: string
  /** 0: any free port. */
  port: number
  /** Gives the reason to refuse a mail temporarily (451), or null to accept it. */
  refuse?: () => string | null
  now?: () => Date
}

/** A mail server for this machine: accepts every mail, stores it in a folder and relays nothing. */
export async function startInboxServer({
  dir,
  port,
  refuse = () => null,
  now = () => new Date(),
}: InboxOptions): Promise<InboxServer> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    onAuth: (auth, _session, done) => done(null, { user: auth.username }),
    onMailFrom: (_address, _session, done) => {
      const reason = refuse()
      done(reason ? Object.assign(new Error(reason), { responseCode: 451 }) : null)
    },
    onData: (stream, session, done) => {
      const recipients = session.envelope.rcptTo.map((recipient) => recipient.address)
      readAll(stream)
        .then((raw) => PostalMime.parse(raw))
        .then((mail) => storeInboxMail(dir, inboxMailOf(mail, recipients, now())))
        .then(
          () => done(),
          (error: Error) => done(error),
        )
    },
  })
  server.on('error', () => {}) // a client closed its connection
  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject)
    server.listen(port, '127.0.0.1', () => resolve())
  })
  const address = server.server.address() as AddressInfo
  return { port: address.port, stop: () => new Promise((resolve) => server.close(() => resolve())) }
}

/** A received mail in the inbox's form. The recipients are those of the SMTP envelope, not of the headers. */
function inboxMailOf(mail: Email, recipients: string[], now: Date): InboxMail {
  return {
    id: randomUUID(),
    to: recipients.join(', '),
    from: textOf(mail.from),
    reply_to: mail.replyTo?.length ? mail.replyTo.map(textOf).join(', ') : null,
    subject: mail.subject ?? '',
    text: mail.text ?? '',
    html: mail.html ?? '',
    headers: Object.fromEntries(mail.headers.map((header) => [header.key.toLowerCase(), header.value])),
    sent_at: now.toISOString(),
  }
}

const textOf = (address: Address | undefined): string => {
  if (!address) return ''
  return address.name ? `${address.name} <${address.address ?? ''}>` : (address.address ?? '')
}

async function readAll(stream: AsyncIterable<unknown>): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of stream) parts.push(part as Buffer)
  return Buffer.concat(parts)
}
