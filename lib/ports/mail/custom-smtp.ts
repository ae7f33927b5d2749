import { guardedSmtp, type SmtpReach } from './guarded-smtp.ts'
import type { Mail, MailSettings } from './mail.ts'

type Settings = Extract<MailSettings, { provider: 'CUSTOM_SMTP' }>

/** Mail over a server that the organization named. */
export const customSmtpMail = (settings: Settings, reach: SmtpReach): Mail => guardedSmtp(settings, reach)
