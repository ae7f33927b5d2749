import nodemailer, { type Transporter } from 'nodemailer'
import MailComposer from 'nodemailer/lib/mail-composer/index.js'
import type SMTPPool from 'nodemailer/lib/smtp-pool/index.js'
import { parseConnectionUrl } from 'nodemailer/lib/shared/index.js'
import { realNow } from '../../core/clock.ts'
import { limitConcurrency } from '../../core/limit-concurrency.ts'
import { oncePerProcess } from '../../core/once-per-process.ts'
import { isSendingLimit, type MailMessage, type Mail, MailRefused, type SentMail, redactSecrets } from './mail.ts'

/** Timeout of each step of a delivery (connecting, greeting, an idle socket) and of a request to a mail API. */
export const MAIL_TIMEOUT_MS = 15_000

/** Connections to the installation's own server, and how many mails leave over one of them. */
const MAX_CONNECTIONS = 5
const MAX_MAILS_PER_CONNECTION = 100

/**
 * Mail over the installation's own server, with pooled connections. `url`: smtp://user:password@host:587 or
 * smtps://host.
 */
export function smtpMail(url: string): Mail {
  if (!url)
    return {
      send: () =>
        Promise.reject(new MailRefused('SMTP_URL is not set, so that no mail can leave.', { permanent: false })),
    }
  const options: SMTPPool.Options & { maxRequeues: number } = {
    // Of an object with a URL, nodemailer takes nothing but the URL.
    ...parseConnectionUrl(url),
    pool: true,
    maxConnections: MAX_CONNECTIONS,
    maxMessages: MAX_MAILS_PER_CONNECTION,
    // A kept connection may end just when the next mail begins.
    maxRequeues: 1,
    connectionTimeout: MAIL_TIMEOUT_MS,
    greetingTimeout: MAIL_TIMEOUT_MS,
    socketTimeout: MAIL_TIMEOUT_MS,
  }
  const transport = nodemailer.createTransport(options)
  return { send: (message) => sendOverSmtp(transport, message) }
}

/**
 * Encoding a mail of 1 MB holds the event loop for some 50 ms, and those of all connections would be encoded at once.
 */
const oneByOne = oncePerProcess('encoding of mails', () => limitConcurrency(1))

/**
 * Sends one message over any SMTP server; errors become MailRefused. `secrets` are removed from the server's answers.
 */
export async function sendOverSmtp(
  transport: Pick<Transporter, 'sendMail'>,
  message: MailMessage,
  secrets: readonly string[] = [],
): Promise<SentMail> {
  try {
    const composed = new MailComposer(withAutomaticHeaders(message)).compile()
    const raw = await oneByOne(() => composed.build())
    const { response } = (await transport.sendMail({ envelope: composed.getEnvelope(), raw })) as { response?: string }
    return { providerId: providerIdOf(response ?? '') }
  } catch (error) {
    throw refusalOf(error, secrets)
  }
}

const withAutomaticHeaders = ({ headers, ...message }: MailMessage) => ({
  ...message,
  date: realNow(),
  disableFileAccess: true,
  disableUrlAccess: true,
  headers: { ...AUTOMATIC_MAIL_HEADERS, ...headers },
})

/** Headers that stop automatic replies such as out-of-office notices (RFC 3834). */
export const AUTOMATIC_MAIL_HEADERS = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' }

/**
 * Amazon SES answers `250 Ok <message id>` and uses that id in its notifications. Other servers' answers have no
 * dependable id.
 */
const providerIdOf = (response: string): string | null => /^250 Ok ([\w-]{20,100})$/.exec(response.trim())?.[1] ?? null

/**
 * Enhanced status codes (RFC 3463, RFC 7505) that concern the recipient's address alone: unknown mailbox (5.1.1),
 * unknown domain (5.1.2), invalid address (5.1.3), mailbox moved (5.1.6), domain without mail (5.1.10). 5.1.7 and 5.1.8
 * concern the sender, 5.2 and 5.7 a full mailbox or a policy, so they must not suppress the address.
 */
const NO_SUCH_ADDRESS = /^5\d\d[ -]5\.1\.(?:1|2|3|6|10)\b/

type SmtpError = Error & { code?: string; responseCode?: number; response?: string }

function refusalOf(error: unknown, secrets: readonly string[]): MailRefused {
  if (error instanceof MailRefused) return error
  const { code, responseCode, response, message } = error as SmtpError
  const isRefusal = code === 'EENVELOPE' && responseCode !== undefined && responseCode >= 500
  const permanent = isRefusal && !isSendingLimit(response ?? '')
  const detail = response
    ? `The mail server refused: ${response}`
    : code === 'ETLS'
      ? `The mail server offers no secure connection: ${message}`
      : `The mail server can’t be reached: ${message}`
  return new MailRefused(redactSecrets(detail, secrets), {
    permanent,
    noSuchAddress: permanent && NO_SUCH_ADDRESS.test(response ?? ''),
  })
}
