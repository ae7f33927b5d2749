import { newId } from '../../../lib/core/id.ts'
import { checkSmtp } from '../../../lib/ports/mail/check-smtp.ts'
import { smtpMail } from '../../../lib/ports/mail/smtp.ts'
import { remedyFor } from '../remedy.ts'
import { type Check, type Finding, ok, type Subject, warning, wrong } from '../check.ts'

const LOCAL_HOST = /^(localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/

/** Whether the mail server lets us in, encrypted, and takes a test mail where one was asked for. */
export const mailServer: Check = {
  name: 'mail server',
  run: async (subject) => {
    const { SMTP_URL } = subject.settings
    if (!SMTP_URL)
      return [
        wrong(
          'SMTP_URL',
          'No mail server is set: no link to sign in, no claim and no PIN can be sent.',
          'Set SMTP_URL to smtp://user:password@host:587 of your mail provider, and MAIL_FROM.',
        ),
      ]
    const found = await connectionFinding(subject)
    if (found.verdict === 'wrong' || !subject.mailTo) return [found]
    return [found, await testMailFinding(subject, subject.mailTo)]
  },
}

async function connectionFinding({ settings, timeoutMs, quote }: Subject): Promise<Finding> {
  try {
    const { host, secure, loggedIn } = await checkSmtp(settings.SMTP_URL, timeoutMs)
    const detail = `${host} ${loggedIn ? 'accepts the login' : 'answers; SMTP_URL has no login'}, ${secure ? 'encrypted' : 'not encrypted'}.`
    if (secure || LOCAL_HOST.test(host)) return ok('SMTP_URL', detail)
    const remedy = 'Use the provider’s port with TLS: smtps://…:465, or smtp://…:587 with STARTTLS.'
    return loggedIn
      ? wrong('SMTP_URL', `${detail} The password travels readable.`, remedy)
      : warning('SMTP_URL', `${detail} Mail travels readable.`, remedy)
  } catch (error) {
    const { code } = error as { code?: string }
    const detail = quote(error)
    return code === 'EAUTH'
      ? wrong('SMTP_URL', `The mail server refuses the login: ${detail}`, 'Correct user and password in SMTP_URL.')
      : wrong(
          'SMTP_URL',
          `The mail server can’t be used: ${detail}`,
          remedyFor(
            error,
            'See that host and port in SMTP_URL are right, and that this machine may connect there: many hosters block port 25.',
          ),
        )
  }
}

async function testMailFinding({ settings, quote, now }: Subject, to: string): Promise<Finding> {
  try {
    const host = new URL(settings.ORIGIN).hostname
    const text = `This is the test mail that npm run doctor sent from ${settings.ORIGIN} at ${now().toISOString()}. Nothing needs to be done.`
    await smtpMail(settings.SMTP_URL).send({
      messageId: `<${newId()}@${host}>`,
      from: settings.MAIL_FROM,
      to,
      subject: `Test mail of ${host}`,
      text,
      html: `<p>${text}</p>`,
    })
    return ok('test mail', `The mail server has taken a mail to ${to}. See that it arrives, and not among spam.`)
  } catch (error) {
    return wrong(
      'test mail',
      quote(error),
      'The mail server must allow the sender of MAIL_FROM, and mail to that address.',
    )
  }
}
