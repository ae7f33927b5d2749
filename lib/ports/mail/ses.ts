import { checkedSmtp, type Reach } from './checked-smtp.ts'
import type { Mail, MailSettings } from './mail.ts'

type Settings = Extract<MailSettings, { provider: 'CLOUD_MAIL' }>

/** Mail over Amazon SES. The region is validated before it comes here: it builds a host. */
export const sesMail = (
  { region, ...settings }: Settings,
  reach: Reach,
  host = `email-smtp.${region}.amazonaws.com`,
): Mail => checkedSmtp({ ...settings, host }, reach)
