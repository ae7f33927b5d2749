import type { SmtpReach } from './guarded-smtp.ts'
import { customSmtpMail } from './custom-smtp.ts'
import type { Mail, MailSettings } from './mail.ts'
import { mailgunMail } from './mailgun.ts'
import { sesMail } from './ses.ts'

/** The mail adapter for an organization's email integration. */
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
