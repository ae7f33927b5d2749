import type { Context } from '../../platform/auth/context.ts'
import { readSender, type Sender } from '../../core/sender.ts'
import { columns, type RowOf } from '../../db/columns.ts'
import type { Statement } from '../../db/statements.ts'
import type { Mail } from '../../ports/mail/mail.ts'
import { plainConfigOf, mailSettingsOf } from './integration-config.ts'

/** An organization's active email integration: its sender, and how to send through it. */
export type ActiveMail = {
  integrationId: string
  sender: Sender
  replyTo: string | undefined
  /** Its settings page shows that the last mail failed. */
  hasFailed: boolean
  /** Unseals the secrets; call it only when a mail is sent. */
  open: () => Mail
}

const COLUMNS = columns('e', 'EmailIntegration', ['id', 'provider', 'config', 'secrets', 'lastError'])
const ACTIVE: Statement = {
  name: 'active_email_integration',
  text: `SELECT ${COLUMNS} FROM email_integrations e WHERE organization_id = $1::uuid AND status = 'ACTIVE'`,
}

/** null when the organization has no active integration: the installation's own server then sends its mail. */
export async function findActiveMail(ctx: Context): Promise<ActiveMail | null> {
  const [row] = await ctx.rows<RowOf<typeof COLUMNS>>(ACTIVE, ctx.organizationId)
  const config = row && plainConfigOf(row)
  const sender = config && readSender(String(config.email_from))
  if (!row || !sender) return null
  return {
    integrationId: row.id,
    sender,
    replyTo: config.email_reply_to ? String(config.email_reply_to) : undefined,
    hasFailed: row.lastError !== null,
    open: () => ctx.ports.integrationMail(mailSettingsOf(row)),
  }
}

/** Records the error of the last mail sent through the integration, for its settings page; null clears it. */
export async function recordSendOutcome(ctx: Context, integrationId: string, failure: string | null): Promise<void> {
  await ctx.db.emailIntegration.updateMany({
    where: { id: integrationId, ...(failure === null && { lastError: { not: null } }) },
    data: { lastError: failure },
  })
}
