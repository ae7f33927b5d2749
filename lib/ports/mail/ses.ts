import { guardedSmtp, type SmtpReach } from './guarded-smtp.ts'
import type { Mail, MailSettings } from './mail.ts'

type Settings = Extract<MailSettings, { provider: 'CLOUD_MAIL' }>

/** Mail over Amazon SES by SMTP. The caller must have validated the region, since it becomes part of a host name. */
export const sesMail = (
  { region, ...settings }: Settings,
  reach: SmtpReach,
  host = `email-smtp.${region}.amazonaws.com`,
): Mail => guardedSmtp({ ...settings, host }, reach)
