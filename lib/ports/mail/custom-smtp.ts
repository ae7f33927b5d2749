import { checkedSmtp, type Reach } from './checked-smtp.ts'
import type { Mail, MailSettings } from './mail.ts'

type Settings = Extract<MailSettings, { provider: 'CUSTOM_SMTP' }>

/** Mail over a server that the organization named. */
export const customSmtpMail = (settings: Settings, reach: Reach): Mail => checkedSmtp(settings, reach)
