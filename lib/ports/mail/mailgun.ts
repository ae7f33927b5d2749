import Mailgun from 'mailgun.js'
import { type MailMessage, type Mail, MailRefused, type MailSettings, redactSecrets } from './mail.ts'
import { AUTOMATIC_MAIL_HEADERS, MAIL_TIMEOUT_MS } from './smtp.ts'

type Settings = Extract<MailSettings, { provider: 'MAIL_API' }>

const BASES = { US: 'https://api.mailgun.net', EU: 'https://api.eu.mailgun.net' } as const

/** Mail over Mailgun's API. `base` is another server in place of Mailgun’s, for tests. */
export function mailgunMail({ domain, region, apiKey }: Settings, base = ''): Mail {
  const client = new Mailgun(FormData).client({
    username: 'api',
    key: apiKey,
    url: base || BASES[region],
    timeout: MAIL_TIMEOUT_MS,
  })
  return {
    async send(letter) {
      try {
        const { id } = await client.messages.create(domain, messageOf(letter))
        return { providerId: id ? bare(id) : null }
      } catch (error) {
        throw refusalOf(error, apiKey)
      }
    },
  }
}

/** Nothing is tracked: a claim link that leads over somebody else's server would be known there. */
const messageOf = ({ messageId, from, to, replyTo, subject, text, html, headers }: MailMessage) => ({
  from,
  to,
  subject,
  text,
  html,
  'h:Message-Id': messageId,
  ...(replyTo && { 'h:Reply-To': replyTo }),
  ...Object.fromEntries(
    Object.entries({ ...AUTOMATIC_MAIL_HEADERS, ...headers }).map(([name, value]) => [`h:${name}`, value]),
  ),
  'o:tracking': 'no' as const,
  'o:tracking-clicks': 'no' as const,
  'o:tracking-opens': 'no' as const,
})

/** A Message-ID without its brackets, as Mailgun names a mail in its events. */
const bare = (id: string): string => id.trim().replace(/^<|>$/g, '')

/** The library says 400 as well when no answer came; then the status text is the system's code. */
const NO_ANSWER = /^E[A-Z_]+$/

type ApiError = { status?: number; details?: string; message?: string }

/** The error itself goes no further: it carries the request, and with it the key. */
function refusalOf(error: unknown, apiKey: string): MailRefused {
  const { status, details, message } = error as ApiError
  if (!status || NO_ANSWER.test(message ?? ''))
    return new MailRefused(redactSecrets(`Mailgun can’t be reached: ${details || message}`, [apiKey]), {
      permanent: false,
    })
  const said =
    status === 401 ? '401, the API key is not valid for this region' : `${status} ${details || message || ''}`.trim()
  return new MailRefused(redactSecrets(`Mailgun refused: ${said}`, [apiKey]), { permanent: status === 400 })
}
