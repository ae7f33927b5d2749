import { guardedSmtp, type SmtpReach } from './guarded-smtp.ts'
import type { Mail, MailSettings } from './mail.ts'

type Settings = Extract<MailSettings, { provider: 'CUSTOM_SMTP' }>

/** Mail over an SMTP server of the organization's choice. */
export const customSmtpMail = (settings: Settings, reach: SmtpReach): Mail => guardedSmtp(settings, reach)
