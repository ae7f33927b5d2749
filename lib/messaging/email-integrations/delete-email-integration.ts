import { recordAudit } from '../../records/audit/record-audit.ts'
import { onProtectedChange } from '../on-protected-change.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { lockEmailIntegration } from './lock-email-integration.ts'
import { auditedOf } from './show-email-integration.ts'

/** Deletes the settings. Mails still in the outbox are sent by the installation's own server. */
export const deleteEmailIntegration = (ctx: Context, id: string): Promise<undefined> =>
  inTransaction(ctx, async (tx) => {
    const row = await lockEmailIntegration(tx, id)
    await tx.db.emailIntegration.deleteMany({ where: { id } })
    await onProtectedChange(tx, { what: 'mailDeleted' })
    await recordAudit(tx, {
      action: 'email_integration.deleted',
      subject: { type: 'email_integration', id },
      before: auditedOf(row),
    })
    return undefined
  })
