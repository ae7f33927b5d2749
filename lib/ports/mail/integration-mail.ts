import type { SmtpReach } from './guarded-smtp.ts'
import { customSmtpMail } from './custom-smtp.ts'
import type { Mail, MailSettings } from './mail.ts'
import { mailgunMail } from './mailgun.ts'
import { sesMail } from './ses.ts'

/** An organization's own way out, by what it set up. */
export function integrationMail(
  settings: MailSettings,
  { mailgunBase, ...reach }: SmtpReach & { mailgunBase: string },
): Mail {
  switch (settings.provider) {
    case 'MAIL_API':
      return mailgunMail(settings, mailgunBase)
    case 'CLOUD_MAIL':
      return sesMail(settings, reach)
    case 'CUSTOM_SMTP':
      return customSmtpMail(settings, reach)
  }
}
