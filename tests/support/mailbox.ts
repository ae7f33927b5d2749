import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { afterAll } from 'vitest'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { systemClient } from '../../lib/db/client.ts'
import { smtpMail } from '../../lib/ports/mail/smtp.ts'
import { sendOutboxMail } from '../../lib/messaging/outbox/send-mail.ts'
import { replacePorts } from '../../lib/ports/ports.ts'
import { noteSecretsOf } from './made-secrets.ts'

export type Mailbox = Awaited<ReturnType<typeof startMailbox>>

/** Starts a real mail server for this test file and sets this process's mail port to it. */
export async function startMailbox() {
  const inbox: (Email & { recipients: string[] })[] = []
  let refusal: { responseCode: number; reason: string } | null = null
  let gate: Promise<void> | null = null
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    onRcptTo: (_address, _session, done) =>
      done(refusal && Object.assign(new Error(refusal.reason), { responseCode: refusal.responseCode })),
    onData: (stream, session, done) => {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        PostalMime.parse(Buffer.concat(parts)).then((mail) => {
          noteSecretsOf(mail)
          inbox.push({ ...mail, recipients: session.envelope.rcptTo.map(({ address }) => address) })
          return gate?.then(() => done()) ?? done()
        }, done)
      })
    },
  })
  server.on('error', () => undefined) // a client that disconnected
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as { port: number }
  replacePorts({ mail: smtpMail(`smtp://127.0.0.1:${port}`) })
  const stop = () => new Promise<void>((resolve) => server.close(() => resolve()))
  afterAll(stop)

  /** Sends the pending outbox mails of an address, as the worker does; returns the reasons of failed ones. */
  async function deliver(to: string): Promise<string[]> {
    const waiting = await systemClient().outboxMessage.findMany({
      where: { state: 'PENDING', toEmail: to },
      orderBy: { id: 'asc' },
    })
    const failures: string[] = []
    for (const { id } of waiting)
      await sendOutboxMail(systemContext('test'), id).catch((error: Error) => failures.push(error.message))
    return failures
  }
  const mailsTo = (to: string) => inbox.filter(({ recipients }) => recipients.includes(to))

  return {
    url: `smtp://127.0.0.1:${port}`,
    deliver,
    mailsTo,
    /** Refuses every recipient with this reason from now on; null accepts them again. */
    refuse: (reason: string | null, responseCode = 451) =>
      void (refusal = reason === null ? null : { reason, responseCode }),
    /** Takes mails without saying so until the returned function is called. */
    holdAnswers(): () => void {
      const { promise, resolve } = Promise.withResolvers<void>()
      gate = promise
      return () => {
        gate = null
        resolve()
      }
    },
    /** The newest PIN of an address. */
    async pinOf(to: string): Promise<string> {
      await deliver(to)
      const pins = mailsTo(to).flatMap(({ subject }) => /^(\d{6}) /.exec(subject ?? '')?.[1] ?? [])
      return (
        pins.at(-1) ??
        (() => {
          throw new Error(`No PIN was mailed to ${to}.`)
        })()
      )
    },
  }
}
