import { isSendingLimit, type MailMessage, type Mail, MailRefused, type MailSettings, redactSecrets } from './mail.ts'
import { AUTOMATIC_MAIL_HEADERS, MAIL_TIMEOUT_MS } from './smtp.ts'

type Settings = Extract<MailSettings, { provider: 'MAIL_API' }>

const BASES = { US: 'https://api.mailgun.net', EU: 'https://api.eu.mailgun.net' } as const

/** Mail over Mailgun's HTTP API. `base` replaces Mailgun's server, for tests. */
export function mailgunMail({ domain, region, apiKey }: Settings, base = ''): Mail {
  // Loaded when a mail leaves: it takes 25 MB of memory, which most installations never need.
  const open = async () => {
    const { default: Mailgun } = await import('mailgun.js')
    return new Mailgun(FormData).client({
      username: 'api',
      key: apiKey,
      url: base || BASES[region],
      timeout: MAIL_TIMEOUT_MS,
    })
  }
  return {
    async send(message) {
      try {
        const client = await open()
        const { id } = await client.messages.create(domain, paramsOf(message))
        return { providerId: id ? withoutBrackets(id) : null }
      } catch (error) {
        throw refusalOf(error, apiKey)
      }
    },
  }
}

/** Tracking is off: a tracked claim link would lead through Mailgun's server and disclose its token. */
const paramsOf = ({ messageId, from, to, replyTo, subject, text, html, headers }: MailMessage) => ({
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

/** A Message-ID without its angle brackets, as Mailgun's events give it. */
const withoutBrackets = (id: string): string => id.trim().replace(/^<|>$/g, '')

/** mailgun.js reports status 400 when no answer came; the message is the system's error code then. */
const NO_ANSWER = /^E[A-Z_]+$/

type ApiError = { status?: number; details?: string; message?: string }

/** The original error is not kept as cause: it contains the request and with it the API key. */
function refusalOf(error: unknown, apiKey: string): MailRefused {
  const { status, details, message } = error as ApiError
  if (!status || NO_ANSWER.test(message ?? ''))
    return new MailRefused(redactSecrets(`Mailgun can’t be reached: ${details || message}`, [apiKey]), {
      permanent: false,
    })
  const reason =
    status === 401 ? '401, the API key is not valid for this region' : `${status} ${details || message || ''}`.trim()
  return new MailRefused(redactSecrets(`Mailgun refused: ${reason}`, [apiKey]), {
    permanent: status === 400 && !isSendingLimit(reason),
  })
}
