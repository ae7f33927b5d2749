import type { Input, Output } from '../../platform/api/endpoint.ts'
import type { createEmailIntegration as endpoint } from '../../platform/api/email-integrations.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import { onProtectedChange } from '../on-protected-change.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { AppError } from '../../core/errors.ts'
import { newId } from '../../core/id.ts'
import { isUniqueViolation } from '../../db/errors.ts'
import { columnsOf } from './integration-config.ts'
import { auditedOf, emailIntegrationOf } from './show-email-integration.ts'

/**
 * Stores an organization's own mail settings. They are used only once activated. Throws `email_integration_exists`:
 * there is one at most.
 */
export async function createEmailIntegration(
  ctx: Context,
  { provider, config }: Input<typeof endpoint>['body'],
): Promise<Output<typeof endpoint>> {
  const id = newId()
  try {
    return await inTransaction(ctx, async (tx) => {
      const columns = columnsOf(id, provider, config)
      const row = await tx.db.emailIntegration.create({
        data: { id, organizationId: tx.organizationId, provider, ...columns, createdAt: tx.now() },
      })
      await onProtectedChange(tx, { what: 'mailMade' })
      await recordAudit(tx, {
        action: 'email_integration.created',
        subject: { type: 'email_integration', id },
        after: auditedOf(row),
      })
      return emailIntegrationOf(tx, row)
    })
  } catch (error) {
    if (isUniqueViolation(error))
      throw new AppError(
        'email_integration_exists',
        'This organization has an email integration. Change it, or delete it first.',
      )
    throw error
  }
}
