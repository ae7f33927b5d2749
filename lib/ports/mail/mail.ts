/** One mail. `from`, `replyTo` and `to` are header values; `messageId` includes its angle brackets (RFC 5322). */
export type MailMessage = {
  messageId: string
  from: string
  replyTo?: string | undefined
  to: string
  subject: string
  text: string
  html: string
  headers?: Record<string, string> | undefined
}

/** `providerId`: the provider's own id of the accepted mail, which its events refer to; null where it has none. */
export type SentMail = { providerId: string | null }

/** A way to send mail. */
export type Mail = {
  /**
   * Sends one message and resolves once the server has accepted it, which is no proof of delivery. Throws MailRefused
   * when the server refuses or can't be reached. It is not idempotent: after a lost answer, repeat it with the same
   * `messageId`, by which mail programs recognise a duplicate.
   */
  send(message: MailMessage): Promise<SentMail>
}

/** What a provider tells of a mail. `recipient` in small letters; `messageId` without angle brackets. */
export type MailEvent = {
  type: 'DELIVERED' | 'BOUNCED' | 'COMPLAINED' | 'DELAYED'
  /** Whether further mail to the recipient stops. */
  stops: boolean
  recipient: string
  messageId: string | null
  detail: string | null
}

/**
 * A posted event with its signature's token, by which it counts once; null: of a kind that changes nothing. `refused`:
 * why it isn't believed.
 */
export type PostedMailEvent =
  { token: string; event: MailEvent | null } | { refused: 'malformed' | 'forged' | 'out of time' }

/** The settings of an organization's email integration, with decrypted secrets. `port` null: 587. */
export type MailSettings =
  | { provider: 'MAIL_API'; domain: string; region: 'US' | 'EU'; apiKey: string }
  | { provider: 'CLOUD_MAIL'; region: string; port: number | null; username: string; password: string }
  | { provider: 'CUSTOM_SMTP'; host: string; port: number | null; username: string; password: string }

/**
 * A mail was not accepted. `permanent`: the server answered with a permanent failure, although some servers do so for
 * temporary ones. `noSuchAddress`: the recipient's mailbox does not exist. The message contains no secret and may be
 * shown to people.
 */
export class MailRefused extends Error {
  override readonly name = 'MailRefused'
  readonly permanent: boolean
  readonly noSuchAddress: boolean

  constructor(detail: string, options: { permanent: boolean; noSuchAddress?: boolean; cause?: unknown }) {
    super(detail.slice(0, 1000), { cause: options.cause })
    this.permanent = options.permanent
    this.noSuchAddress = options.noSuchAddress ?? false
  }
}

/**
 * Providers refuse the mails of a sender who has sent as many as allowed with permanent codes (550 5.4.5, 5.7.x),
 * though they accept mails again the next day. What is said of the recipient's mailbox (5.2.x) or of a mail's size is
 * no such limit.
 */
const SENDING_LIMIT =
  /\b5\.4\.5\b|\b(?:daily|hourly|sending|send|submission|relay|rate|messages? per)\b[\w\s-]{0,60}\b(?:limit|quota|exceeded)|\btoo many (?:e-?mails|messages|mails)\b/i
export const isSendingLimit = (answer: string): boolean => SENDING_LIMIT.test(answer) && !/\b5\.2\.\d+\b/.test(answer)

/** Shorter secrets are left in the text: replacing them would garble it. */
const MIN_SECRET_LENGTH = 4

/** A server's answer with the secrets replaced that it may repeat, in plain text or in base64 as in SMTP's AUTH. */
export function redactSecrets(text: string, secrets: readonly string[]): string {
  const forms = secrets
    .filter((secret) => secret.length >= MIN_SECRET_LENGTH)
    .flatMap((secret) => [secret, Buffer.from(secret).toString('base64')])
  return forms.reduce((clean, form) => clean.replaceAll(form, '[secret]'), text)
}
