import nodemailer, { type Transporter } from 'nodemailer'
import { type MailMessage, type Mail, MailRefused, type SentMail, redactSecrets } from './mail.ts'

export const MAIL_TIMEOUT_MS = 15_000

/** Mail over the installation's own server, with a few connections kept open. `url` as in smtp://user:password@host:587 or smtps://host. */
export function smtpMail(url: string): Mail {
  if (!url)
    return {
      send: () =>
        Promise.reject(new MailRefused('SMTP_URL is not set, so that no mail can leave.', { permanent: false })),
    }
  const transport = nodemailer.createTransport({
    url,
    pool: true,
    maxConnections: 5,
    connectionTimeout: MAIL_TIMEOUT_MS,
    greetingTimeout: MAIL_TIMEOUT_MS,
    socketTimeout: MAIL_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return { send: (letter) => sendOverSmtp(transport, letter) }
}

/** The one way a letter goes over SMTP, whoever's server it is. `secrets` are what no reason may repeat. */
export async function sendOverSmtp(
  transport: Pick<Transporter, 'sendMail'>,
  letter: MailMessage,
  secrets: readonly string[] = [],
): Promise<SentMail> {
  try {
    const { response } = (await transport.sendMail(messageOf(letter))) as { response?: string }
    return { providerId: providerIdOf(response ?? '') }
  } catch (error) {
    throw refusalOf(error, secrets)
  }
}

const messageOf = ({ headers, ...letter }: MailMessage) => ({
  ...letter,
  headers: { ...AUTOMATIC_MAIL_HEADERS, ...headers },
})

/** So that nobody's holiday notice comes back. */
export const AUTOMATIC_MAIL_HEADERS = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' }

/** Amazon answers `250 Ok <its own message id>` and puts that id into its notices; other servers' words are no name to rely on. */
const providerIdOf = (response: string): string | null => /^250 Ok ([\w-]{20,100})$/.exec(response.trim())?.[1] ?? null

/**
 * The codes that speak of the recipient's address alone: no such mailbox (5.1.1, 5.1.10), no such place (5.1.2), no possible address
 * (5.1.3), moved and gone (5.1.6). 5.1.7 and 5.1.8 complain of the sender, 5.2 and 5.7 of a full mailbox or a policy: no reason to stop
 * writing to somebody.
 */
const NO_SUCH_ADDRESS = /^5\d\d[ -]5\.1\.(?:1|2|3|6|10)\b/

type SmtpError = Error & { code?: string; responseCode?: number; response?: string }

function refusalOf(error: unknown, secrets: readonly string[]): MailRefused {
  if (error instanceof MailRefused) return error
  const { code, responseCode, response, message } = error as SmtpError
  const permanent = code === 'EENVELOPE' && responseCode !== undefined && responseCode >= 500
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
