import type { Context } from '../../platform/auth/context.ts'
import { readSender, type Sender } from '../../core/sender.ts'
import type { Mail } from '../../ports/mail/mail.ts'
import { plainConfigOf, mailSettingsOf } from './integration-config.ts'

/** An organization's own way out, in use: how to send, and whose name stands on it. */
export type ActiveMail = {
  integrationId: string
  sender: Sender
  replyTo: string | undefined
  /** Secrets are opened only here, when a mail really leaves. */
  open: () => Mail
}

/** null when the organization has none, or none that is proved: then the installation's own server carries its mail. */
export async function findActiveMail(ctx: Context): Promise<ActiveMail | null> {
  const row = await ctx.db.emailIntegration.findFirst({ where: { status: 'ACTIVE' } })
  const config = row && plainConfigOf(row)
  const sender = config && readSender(String(config.email_from))
  if (!row || !sender) return null
  return {
    integrationId: row.id,
    sender,
    replyTo: config.email_reply_to ? String(config.email_reply_to) : undefined,
    open: () => ctx.ports.integrationMail(mailSettingsOf(row)),
  }
}

/** What became of the last mail by it, for whoever looks at the settings. */
export async function recordSendOutcome(ctx: Context, integrationId: string, failure: string | null): Promise<void> {
  await ctx.db.emailIntegration.updateMany({
    where: { id: integrationId, ...(failure === null && { lastError: { not: null } }) },
    data: { lastError: failure },
  })
}
