import nodemailer from 'nodemailer'
import type { Letter, Mail } from './mail.ts'

/** A mail server said no. `permanent`: it says that trying again won't help (5xx), which some servers say too lightly. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused'
  readonly permanent: boolean

  constructor(detail: string, options: { permanent: boolean; cause?: unknown }) {
    super(detail, { cause: options.cause })
    this.permanent = options.permanent
  }
}

const PATIENCE_MS = 15_000

/** Mail over SMTP, with a few connections kept open. `url` as in smtp://user:password@host:587 or smtps://host. */
export function smtpMail(url: string): Mail {
  if (!url) return { send: () => Promise.reject(new MailRefused('SMTP_URL is not set, so that no mail can leave.', { permanent: false })) }
  const transport = nodemailer.createTransport({
    url,
    pool: true,
    maxConnections: 5,
    connectionTimeout: PATIENCE_MS,
    greetingTimeout: PATIENCE_MS,
    socketTimeout: PATIENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async send(letter) {
      try {
        await transport.sendMail(messageOf(letter))
      } catch (error) {
        throw refusalOf(error)
      }
    },
  }
}

const messageOf = ({ headers, ...letter }: Letter) => ({
  ...letter,
  headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All', ...headers },
})

type SmtpError = Error & { code?: string; responseCode?: number; response?: string }

function refusalOf(error: unknown): MailRefused {
  const { code, responseCode, response, message } = error as SmtpError
  const permanent = code === 'EENVELOPE' && responseCode !== undefined && responseCode >= 500
  if (response) return new MailRefused(`The mail server refused: ${response}`, { permanent, cause: error })
  return new MailRefused(`The mail server can’t be reached: ${message}`, { permanent: false, cause: error })
}
