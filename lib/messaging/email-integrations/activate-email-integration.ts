import type { Output } from '../../platform/api/endpoint.ts'
import type { activateEmailIntegration as endpoint } from '../../platform/api/email-integrations.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import { onProtectedChange } from '../on-protected-change.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { AppError } from '../../core/errors.ts'
import { callerEmail } from './caller-email.ts'
import { recordTestMail, verifyEmailIntegration } from './verify-email-integration.ts'
import { readEmailIntegration } from './read-email-integration.ts'
import { auditedOf, emailIntegrationOf } from './show-email-integration.ts'

/**
 * Sends a test message and activates the integration if the server accepts it. Throws `mail_refused` when it doesn't,
 * `conflict` when the settings changed meanwhile.
 */
export async function activateEmailIntegration(ctx: Context, id: string): Promise<Output<typeof endpoint>> {
  const row = await readEmailIntegration(ctx, id)
  const testMail = await verifyEmailIntegration(ctx, row, await callerEmail(ctx))
  return inTransaction(ctx, async (tx) => {
    const { count } = await tx.db.emailIntegration.updateMany({
      // Every change seals the secrets again, so equal bytes mean that no setting has changed.
      where: { id, secrets: row.secrets },
      data: { status: 'ACTIVE', lastError: null, activatedAt: tx.now() },
    })
    if (count === 0)
      throw new AppError('conflict', 'The settings changed while the test message was under way. Activate them again.')
    await recordTestMail(tx, id, testMail)
    const after = await readEmailIntegration(tx, id)
    await onProtectedChange(tx, { what: 'mailActivated' })
    await recordAudit(tx, {
      action: 'email_integration.activated',
      subject: { type: 'email_integration', id },
      before: auditedOf(row),
      after: auditedOf(after),
    })
    return emailIntegrationOf(tx, after)
  })
}
