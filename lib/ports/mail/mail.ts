/** One mail as it leaves. */
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

/** What the provider calls a mail it took, where it has a name of its own for it. */
export type SentMail = { providerId: string | null }

/** Where mail leaves. `send` throws MailRefused when the server refuses or can't be reached; repeating it with the same messageId is safe for the reader. */
export type Mail = {
  send(letter: MailMessage): Promise<SentMail>
}

/** An organization's own way out, secrets opened. */
export type MailSettings =
  | { provider: 'MAIL_API'; domain: string; region: 'US' | 'EU'; apiKey: string }
  | { provider: 'CLOUD_MAIL'; region: string; port: number | null; username: string; password: string }
  | { provider: 'CUSTOM_SMTP'; host: string; port: number | null; username: string; password: string }

/**
 * A mail did not leave. `permanent`: the server says that trying again won't help, which some say too lightly. `noSuchAddress`:
 * it says that nobody can ever be reached at the recipient's address. The detail is fit to be shown: no secret stands in it.
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

const SHORTEST = 4

/** What a server said, without any secret it may have repeated, plain or in the clothes of SMTP. */
export function redactSecrets(text: string, secrets: readonly string[]): string {
  const forms = secrets
    .filter((secret) => secret.length >= SHORTEST)
    .flatMap((secret) => [secret, Buffer.from(secret).toString('base64')])
  return forms.reduce((clean, form) => clean.replaceAll(form, '[secret]'), text)
}
