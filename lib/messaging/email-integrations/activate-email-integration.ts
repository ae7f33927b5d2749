import type { Output } from '../../platform/api/endpoint.ts'
import type { activateEmailIntegration as endpoint } from '../../platform/api/email-integrations.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { AppError } from '../../core/errors.ts'
import { callerEmail } from './caller-email.ts'
import { recordTestMail, verifyEmailIntegration } from './verify-email-integration.ts'
import { readEmailIntegration } from './read-email-integration.ts'
import { auditedOf, emailIntegrationOf } from './show-email-integration.ts'

/** Puts settings to use that have just carried a message. Those that changed while it was under way aren't the proved ones. */
export async function activateEmailIntegration(ctx: Context, id: string): Promise<Output<typeof endpoint>> {
  const row = await readEmailIntegration(ctx, id)
  const proof = await verifyEmailIntegration(ctx, row, await callerEmail(ctx))
  return inTransaction(ctx, async (tx) => {
    const { count } = await tx.db.emailIntegration.updateMany({
      // Every change seals the secrets anew.
      where: { id, secrets: row.secrets },
      data: { status: 'ACTIVE', lastError: null, activatedAt: tx.now() },
    })
    if (count === 0)
      throw new AppError('conflict', 'The settings changed while the test message was under way. Activate them again.')
    await recordTestMail(tx, id, proof)
    const after = await readEmailIntegration(tx, id)
    await recordAudit(tx, {
      action: 'email_integration.activated',
      subject: { type: 'email_integration', id },
      before: auditedOf(row),
      after: auditedOf(after),
    })
    return emailIntegrationOf(tx, after)
  })
}
